// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "frond/base/types.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// Blocks of `size` that cover `count`.
inline unsigned parts(count_t count, unsigned size) { return static_cast<unsigned>((count + size - 1) / size); }

struct LaunchShape {
    dim3 grid, threads;
    std::size_t shared_bytes = 0;
};

/// Puts the kernel on the stream; check_launch() says whether that went well.
template <class... Parameters, class... Arguments>
void launch([[maybe_unused]] Stream stream, const LaunchShape& shape, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
#ifdef FROND_EMULATED_LAUNCH
    queue_kernel(shape.grid, shape.threads, [=] { kernel(static_cast<Parameters>(arguments)...); });
#else
    kernel<<<shape.grid, shape.threads, shape.shared_bytes, stream>>>(static_cast<Parameters>(arguments)...);
#endif
}

}  // namespace frond::gpu
