// SPDX-License-Identifier: BSD-3-Clause
// Elimination backwards: block by block from the last pivot, the product that an elimination step
// subtracted is added again. With |l| bounded inside the diagonal block the terms stay of the size
// of the block's entries, whatever the rows below it look like.
#include "../scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"

#include <algorithm>
#include <cstddef>

namespace frond::cpu {

namespace {

/// Rows and columns p (and p + 1) of the lower triangle a: pivot and column as before they were
/// eliminated, all of a(p.., p..) below column `last` updated.
template<class T>
void unfactor_one(DenseView<T> a, bool hermitian, index_t p, index_t last, T d) {
    const index_t n = a.rows;
    for (index_t c = p + 1; c < last; ++c) {
        const T factor = multiply(d, conjugate_if(hermitian, a(c, p)));
        for (index_t i = c; i < n; ++i) a(i, c) += multiply(a(i, p), factor);
    }
    for (index_t i = p + 1; i < n; ++i) a(i, p) = multiply(a(i, p), d);
    a(p, p) = d;
}

template<class T>
void unfactor_pair(DenseView<T> a, bool hermitian, index_t p, index_t last, const T* pivots) {
    const index_t n = a.rows;
    const T d1 = pivots[2 * p], e = pivots[2 * p + 1], d2 = pivots[2 * p + 2];
    const T upper = conjugate_if(hermitian, e);
    for (index_t c = p + 2; c < last; ++c) {
        const T l1 = conjugate_if(hermitian, a(c, p)), l2 = conjugate_if(hermitian, a(c, p + 1));
        const T f1 = multiply(d1, l1) + multiply(upper, l2),
                f2 = multiply(e, l1) + multiply(d2, l2);
        for (index_t i = c; i < n; ++i)
            a(i, c) += multiply(a(i, p), f1) + multiply(a(i, p + 1), f2);
    }
    for (index_t i = p + 2; i < n; ++i) {
        const T l1 = a(i, p), l2 = a(i, p + 1);
        a(i, p) = multiply(l1, d1) + multiply(l2, e);
        a(i, p + 1) = multiply(l1, upper) + multiply(l2, d2);
    }
    a(p, p) = d1;
    a(p + 1, p) = e;
    a(p + 1, p + 1) = d2;
}

} // namespace

template<class T>
void unfactor_ldlt(DenseView<T> a, bool hermitian, index_t kept, const T* pivots,
                   const T* replaced) {
    const index_t n = a.cols;
    for (index_t end = n; end > kept;) {
        const index_t begin = whole_pivots(end - 1, pivots);
        if (begin == end - 1)
            unfactor_one(a, hermitian, begin, n, pivots[2 * begin]);
        else
            unfactor_pair(a, hermitian, begin, n, pivots);
        end = begin;
    }
    for (index_t k = kept; k < n; ++k) a(k, k) -= replaced[k];
}

template<class T>
void unfactor_lu(DenseView<T> a, index_t kept, const T* replaced) {
    const index_t n = a.cols;
    for (index_t p = n - 1; p >= kept; --p) {
        for (index_t c = p + 1; c < n; ++c)
            for (index_t i = p + 1; i < n; ++i) a(i, c) += multiply(a(i, p), a(p, c));
        for (index_t i = p + 1; i < n; ++i) a(i, p) = multiply(a(i, p), a(p, p));
    }
    for (index_t k = kept; k < n; ++k) a(k, k) -= replaced[k];
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void unfactor_ldlt<T>(DenseView<T>, bool, index_t, const T*, const T*);               \
    template void unfactor_lu<T>(DenseView<T>, index_t, const T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu
