// SPDX-License-Identifier: BSD-3-Clause
#include "../simd/kernel_table.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/threshold.hpp"
#include "second_pass_rule.hpp"
#include "static_perturbation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

template <class T>
index_t first_column_above(DenseView<const T> l, double bound, double& largest) {
    real_t<T> largest_here;
    const index_t first = simd::kernels<T>().first_column_above(l.rows, l.cols, l.data, l.ld,
                                                                static_cast<real_t<T>>(bound), largest_here);
    largest = std::max(largest, static_cast<double>(largest_here));
    return first;
}

template <class T>
double largest_magnitude(DenseView<const T> l) {
    double largest = 0;
    first_column_above(l, HUGE_VAL, largest);
    return largest;
}

template <class T>
index_t first_replaced_pivot(index_t n, const T* replaced) {
    index_t k = 0;
    while (k < n && replaced[k] == T(0)) ++k;
    return k;
}

template <class T>
index_t whole_pivots(index_t kept, const T* pivots) {
    return kept > 0 && pivots[2 * (kept - 1) + 1] != T(0) ? kept - 1 : kept;
}

namespace {

template <class T>
class CompletePivoting {
public:
    CompletePivoting(DenseView<T> a, unsigned char* dependent)
        : a_(a), dependent_(dependent), largest_(static_cast<std::size_t>(a.cols)) {
        std::fill_n(dependent, a.cols, static_cast<unsigned char>(1));
        const T nothing = 0;
        for (index_t j = 0; j < a_.cols; ++j) reduce(j, 0, &nothing, &nothing);
    }

    /// Makes the largest entry a pivot; false when none is larger than `zero`.
    bool step(real_t<T> zero) {
        const index_t p = largest_column();
        if (p < 0 || of(p).row < 0 || !(of(p).size > zero)) return false;
        dependent_[p] = 0;
        const index_t row = of(p).row;
        T* const pivot_column = a_.column(p);
        // With zeros in the pivot's row no rounding is left there, to be taken for an entry.
        const T pivot = std::exchange(pivot_column[row], T(0));
        for (index_t j = 0; j < a_.cols; ++j) {
            if (dependent_[j] == 0) continue;
            const T x = std::exchange(a_(row, j), T(0)), factor = x / pivot;
            reduce(j, x == T(0) ? 0 : 1, pivot_column, &factor);
        }
        return true;
    }

    /// The largest entry that is left.
    double rest() {
        const index_t p = largest_column();
        return p < 0 ? 0 : static_cast<double>(of(p).size);
    }

private:
    index_t largest_column() {
        index_t p = -1;
        for (index_t j = 0; j < a_.cols; ++j)
            if (dependent_[j] != 0 && (p < 0 || of(j).size > of(p).size)) p = j;
        return p;
    }

    LargestOfRows<T>& of(index_t j) { return largest_[static_cast<std::size_t>(j)]; }

    void reduce(index_t j, index_t n, const T* column, const T* factor) {
        if (n == 0 && of(j).row >= 0) return;
        of(j) = {};
        reduce_rows(0, a_.rows, n, column, a_.rows, factor, a_.column(j), of(j));
    }

    DenseView<T> a_;
    unsigned char* dependent_;
    std::vector<LargestOfRows<T>> largest_;
};

}  // namespace

template <class T>
index_t find_dependent_columns(DenseView<T> a, double zero, unsigned char* dependent, double* rest) {
    CompletePivoting<T> elimination(a, dependent);
    index_t rank = 0;
    while (rank < a.cols && elimination.step(static_cast<real_t<T>>(zero))) ++rank;
    if (rest != nullptr) *rest = elimination.rest();
    return a.cols - rank;
}

#define FROND_INSTANTIATE(T)                                                                           \
    template void count_pivots<T>(Factorization, index_t, DenseView<const T>, const T*, PivotReport&); \
    template index_t first_column_above<T>(DenseView<const T>, double, double&);                       \
    template double largest_magnitude<T>(DenseView<const T>);                                          \
    template index_t first_replaced_pivot<T>(index_t, const T*);                                       \
    template index_t whole_pivots<T>(index_t, const T*);                                               \
    template index_t find_dependent_columns<T>(DenseView<T>, double, unsigned char*, double*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
