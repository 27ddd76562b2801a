// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/load_kernels.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::gpu {

template <class T>
count_t load_kernels(const std::atomic<bool>&) noexcept {
    return 0;
}

#define FROND_INSTANTIATE(T) template count_t load_kernels<T>(const std::atomic<bool>&) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
