// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "pivoting/static_perturbation.hpp"

namespace frond::cpu {

namespace {

constexpr index_t base_order = 32;

/// A = L L^H column by column; returns the first column whose pivot is not positive, or -1.
template <class T>
index_t factor_columns(DenseView<T> a, LogProduct& product) {
    for (index_t j = 0; j < a.cols; ++j) {
        real_t<T> d = real_part(a(j, j));
        for (index_t p = 0; p < j; ++p) d -= std::norm(a(j, p));
        if (!(d > 0) || !std::isfinite(d)) return j;
        product.multiply_by(static_cast<double>(d));
        d = std::sqrt(d);
        a(j, j) = d;
        for (index_t i = j + 1; i < a.rows; ++i) {
            T sum = a(i, j);
            for (index_t p = 0; p < j; ++p) sum -= multiply(a(i, p), conjugate(a(j, p)));
            a(i, j) = sum / d;
        }
    }
    return -1;
}

template <class T>
index_t factor_recursively(DenseView<T> a, LogProduct& product) {
    const index_t n = a.cols;
    if (n <= base_order) return factor_columns(a, product);
    const index_t n1 = n / 2 / 8 * 8, n2 = n - n1;
    const auto a11 = a.block(0, 0, n1, n1), a21 = a.block(n1, 0, n2, n1);
    const auto a22 = a.block(n1, n1, n2, n2);
    const index_t failed = factor_recursively(a11, product);
    if (failed >= 0) return failed;
    solve_panel_llt<T>(a11, a21);
    update_lower<T>(a21, a21, true, a22);
    const index_t failed_below = factor_recursively(a22, product);
    return failed_below < 0 ? -1 : n1 + failed_below;
}

}  // namespace

template <class T>
void factor_llt(DenseView<T> a, PivotReport& report) {
    LogProduct product;
    const index_t failed = factor_recursively(a, product);
    PivotReport own;
    own.failed_column = failed;
    own.positive = failed < 0 ? a.cols : failed;
    own.log_abs_determinant = product.value();
    report += own;
}

#define FROND_INSTANTIATE(T) template void factor_llt<T>(DenseView<T>, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
