// SPDX-License-Identifier: BSD-3-Clause
// Sources for the host read the list, too: so it is apart from launch.hpp, which only the vendor's compiler knows.
#pragma once

#include <vector>

namespace frond::gpu {

/// The kernels of S (inside kernels: DeviceScalar) that the program can launch, as the vendor's runtime names them.
template <class S>
std::vector<const void*>& listed_kernels() {
    static std::vector<const void*>& all = *new std::vector<const void*>;
    return all;
}

template <class S>
bool list_kernel(const void* kernel) {
    listed_kernels<S>().push_back(kernel);
    return true;
}

/// Whoever uses this lists the kernel before main() begins.
template <class S, auto kernel>
inline const bool is_listed = list_kernel<S>(reinterpret_cast<const void*>(kernel));

}  // namespace frond::gpu
