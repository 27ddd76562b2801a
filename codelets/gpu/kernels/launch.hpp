// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "kernels/kernel_list.hpp"
#include "vendor.hpp"

#include <cstddef>

namespace frond::gpu {

/// Blocks of `size` that cover `count`.
inline unsigned parts(count_t count, unsigned size) { return static_cast<unsigned>((count + size - 1) / size); }

struct LaunchShape {
    dim3 grid, threads;
    std::size_t shared_bytes = 0;
};

template <class... Parameters, class... Arguments>
void put_on_stream([[maybe_unused]] Stream stream, const LaunchShape& shape, void (*kernel)(Parameters...),
                   const Arguments&... arguments) {
#ifdef FROND_EMULATED_LAUNCH
    queue_kernel(shape.grid, shape.threads, [=] { kernel(static_cast<Parameters>(arguments)...); });
#else
    kernel<<<shape.grid, shape.threads, shape.shared_bytes, stream>>>(static_cast<Parameters>(arguments)...);
#endif
}

/// Puts a kernel of the scalar on the stream; check_launch() says whether that went well. A program that has such a call
/// lists the kernel, for those who load it before.
template <class S, auto kernel, class... Arguments>
void launch([[maybe_unused]] Stream stream, const LaunchShape& shape, const Arguments&... arguments) {
    static_cast<void>(is_listed<S, kernel>);
    put_on_stream(stream, shape, kernel, arguments...);
}

}  // namespace frond::gpu
