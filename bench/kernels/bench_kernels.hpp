// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <limits>

namespace frond::bench {

/// What is measured, and how many of its results were wrong.
struct Run {
    index_t largest = std::numeric_limits<index_t>::max();  // order of fronts, tiles and blocks
    int wrong = 0;

    bool takes(index_t order) const { return order <= largest; }

    /// Counts the error when it exceeds 1000 n eps (or is no number), and returns it.
    template <class T>
    double checked(double error, double n) {
        const double bound = 1000 * n * std::numeric_limits<real_t<T>>::epsilon();
        if (!(error <= bound)) ++wrong;
        return error;
    }
};

/// Gflop/s of the BLAS gemm of the given order.
template <class T>
double gemm_rate(index_t order);

template <class T>
void bench_fronts(const char* scalar, Run& run);
template <class T>
void bench_tiles(const char* scalar, Run& run);
template <class T>
void bench_memory(const char* scalar, Run& run);
template <class T>
void bench_acceptance(const char* scalar, Run& run);
template <class T>
void bench_subtrees(const char* scalar, Run& run);
// On a card; there must be one.
template <class T>
void bench_device_tiles(const char* scalar, Run& run);
template <class T>
void bench_device_acceptance(const char* scalar, Run& run);
template <class T>
void bench_device_trees(const char* scalar, Run& run);

}  // namespace frond::bench
