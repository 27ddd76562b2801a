// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "pivoting/static_perturbation.hpp"

namespace frond::cpu {

template <class T>
void factor_lu(DenseView<T> a, const PivotRule& rule, index_t* perm, T*, PivotReport& report) {
    const index_t n = a.cols;
    PivotCounter<T> counter(rule, false);
    std::iota(perm, perm + n, 0);
    for (index_t k = 0; k < n; ++k) {
        index_t p = k;
        for (index_t i = k + 1; i < n; ++i)
            if (abs1(a(i, k)) > abs1(a(p, k))) p = i;
        if (p != k) {
            std::swap(perm[k], perm[p]);
            for (index_t j = 0; j < n; ++j) std::swap(a(k, j), a(p, j));
        }
        const T d = a(k, k) = counter.accept(a(k, k));
        for (index_t i = k + 1; i < n; ++i)
            if (a(i, k) != T(0)) a(i, k) /= d;
        for (index_t j = k + 1; j < n; ++j)
            for (index_t i = k + 1; i < n; ++i) a(i, j) -= multiply(a(i, k), a(k, j));
    }
    counter.finish(report);
}

count_t factor_lu_workspace(index_t n) { return n; }

#define FROND_INSTANTIATE(T)                                                                       \
    template void factor_lu<T>(DenseView<T>, const PivotRule&, index_t*, T*, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
