// SPDX-License-Identifier: BSD-3-Clause
// Blocks of threads in a kernel: plans keep them for launches, of which a simulation has none.
#include "frond/base/instantiate.hpp"
#include "kernels/dense/eliminate.hpp"

namespace frond::gpu {

unsigned solve_blocks(Factorization, index_t, index_t, const FrontStep&) { return 0; }
template <class T>
unsigned update_blocks(Factorization, index_t, index_t, const FrontStep&) {
    return 0;
}

#define FROND_INSTANTIATE(T) template unsigned update_blocks<T>(Factorization, index_t, index_t, const FrontStep&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
