// SPDX-License-Identifier: BSD-3-Clause
// Products of small blocks as the tensor cores of NVIDIA's cards make them; copies are done at once.
#pragma once

#include <array>

#include "vendor.hpp"

namespace frond::gpu {

inline constexpr bool has_double_products = true;

/// c [16, 8] += a [16, 4] b [4, 8] by a warp. Lane t holds a(t / 4, t % 4) and 8 rows below it, b(t % 4, t / 4),
/// and of c rows t / 4 and t / 4 + 8, of each columns 2 (t % 4) and the next.
inline void add_product_16x8x4(double (&c)[4], const double (&a)[2], double b) {
    const std::array<double, 3> own{a[0], a[1], b};
    std::memcpy(emulated::exchanged(emulated::lane()), own.data(), sizeof own);
    emulated::wait_for_warp();
    const auto value = [](unsigned lane, unsigned which) {
        double x = 0;
        std::memcpy(&x, emulated::exchanged(lane) + which * sizeof x, sizeof x);
        return x;
    };
    const unsigned row = emulated::lane() / 4, column = 2 * (emulated::lane() % 4);
    for (unsigned k = 0; k < 4; ++k)
        for (unsigned e = 0; e < 4; ++e) c[e] += value(4 * row + k, e / 2) * value(4 * (column + e % 2) + k, 2);
    emulated::wait_for_warp();
}

inline void copy_async(double* shared, const double* global, bool inside) { *shared = inside ? *global : 0; }
inline void copy_pair_async(double* shared, const double* global, int count) {
    shared[0] = count > 0 ? global[0] : 0;
    shared[1] = count > 1 ? global[1] : 0;
}
inline void commit_copies() {}
template <int>
inline void wait_for_copies() {}
inline void prefetch(const double*) {}

/// The shared memory that a launch asked for.
inline double* asked_shared_memory() {
    alignas(16) static double memory[(std::size_t{256} << 10) / sizeof(double)];
    return memory;
}

}  // namespace frond::gpu
