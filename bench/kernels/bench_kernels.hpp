// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond::bench {

/// Gflop/s of the BLAS gemm of the given order.
template<class T>
double gemm_rate(index_t order);

template<class T>
void bench_fronts(const char* scalar);
template<class T>
void bench_tiles(const char* scalar);
template<class T>
void bench_memory(const char* scalar);

} // namespace frond::bench
