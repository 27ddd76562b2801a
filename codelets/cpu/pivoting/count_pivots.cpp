// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/cpu/threshold.hpp"
#include "static_perturbation.hpp"

namespace frond::cpu {

namespace {

template <class T>
void count_one(PivotCounter<T>& counter, T d) {
    if (d == T(0))
        counter.count_null();
    else
        counter.count(d);
}

}  // namespace

template <class T>
void count_pivots(Factorization kind, index_t kept, DenseView<const T> block, const T* pivots, PivotReport& report) {
    const bool hermitian = kind == Factorization::ldlh;
    PivotCounter<T> counter({}, kind != Factorization::lu && (!is_complex<T> || hermitian));
    for (index_t k = 0; k < kept; ++k) {
        if (kind == Factorization::lu) {
            count_one(counter, block(k, k));
            continue;
        }
        const T d = pivots[2 * k], e = pivots[2 * k + 1];
        if (e == T(0)) {
            count_one(counter, d);
            continue;
        }
        counter.count_two_by_two(d, e, pivots[2 * k + 2]);
        ++k;
    }
    counter.finish(report);
}

#define FROND_INSTANTIATE(T) \
    template void count_pivots<T>(Factorization, index_t, DenseView<const T>, const T*, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
