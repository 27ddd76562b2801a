// SPDX-License-Identifier: BSD-3-Clause
// The second pass on the columns that a front could not eliminate, and what it delays (Duff &
// Reid 1983, section 3: delayed pivots).
#include "../scalar.hpp"
#include "counted_vector.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "second_pass_parts.hpp"

namespace frond::cpu {

template <class T>
void run_second_pass(Factorization kind, bool at_root, SecondPassColumns<T>&& columns, const PivotRule& rule,
                     SecondPass<T>& second_pass, DelayedColumns<T>& delayed, PivotReport& report,
                     MemoryAccount* account) {
    FROND_EXPECTS(columns.rows() >= columns.cols(), "a null column takes no row");
    second_pass.ncb = delayed.ncb = columns.ncb;
    second_pass.null_columns = second_pass.null_rows = 0;
    delayed = DelayedColumns<T>{};
    delayed.ncb = columns.ncb;
    if (kind == Factorization::lu)
        eliminate_unsymmetric(at_root, columns, rule, second_pass, delayed, report, account);
    else
        eliminate_symmetric(kind == Factorization::ldlh, columns, rule, second_pass, delayed, report, account);
    report.delayed += delayed.cols();
}

namespace {

/// L D of the rows of l, columns packed; D's strict upper part is d_{k+1,k} or its conjugate.
template <class T>
HostVector<T> times_pivots(DenseView<const T> l, const T* pivots, bool hermitian) {
    HostVector<T> product(static_cast<std::size_t>(l.rows) * static_cast<std::size_t>(l.cols));
    const DenseView<T> to{product.data(), l.rows, l.cols, std::max<index_t>(l.rows, 1)};
    for (index_t k = 0; k < l.cols; ++k) {
        const T d = pivots[2 * k], e = pivots[2 * k + 1];
        if (e == T(0)) {
            for (index_t i = 0; i < l.rows; ++i) to(i, k) = multiply(l(i, k), d);
            continue;
        }
        const T d2 = pivots[2 * k + 2], upper = conjugate_if(hermitian, e);
        for (index_t i = 0; i < l.rows; ++i) {
            const T x1 = l(i, k), x2 = l(i, k + 1);
            to(i, k) = multiply(x1, d) + multiply(x2, e);
            to(i, k + 1) = multiply(x1, upper) + multiply(x2, d2);
        }
        ++k;
    }
    return product;
}

}  // namespace

template <class T>
void update_contribution(Factorization kind, const SecondPass<T>& second_pass, index_t first_row, index_t first_column,
                         bool lower, DenseView<T> c, MemoryAccount* account) {
    const index_t kept = second_pass.kept;
    if (kept == 0 || c.empty()) return;
    const DenseView<const T> below = lower_factor(second_pass).contribution;
    const DenseView<const T> l = below.block(first_row, 0, c.rows, kept);
    if (kind == Factorization::lu) {
        const DenseView<const T> u = upper_factor(second_pass).contribution.block(0, first_column, kept, c.cols);
        update_general<T>(l, u, c);
        return;
    }
    const bool hermitian = kind == Factorization::ldlh;
    const TakenBytes bytes(account, bytes_of<T>(static_cast<count_t>(c.cols) * kept));
    const HostVector<T> product =
        times_pivots<T>(below.block(first_column, 0, c.cols, kept), second_pass.pivots.data(), hermitian);
    const DenseView<const T> l_d = packed_view(product, c.cols, kept);
    if (lower)
        update_lower<T>(l, l_d, hermitian, c);
    else
        update_transposed<T>(l, l_d, hermitian, c);
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template void run_second_pass<T>(Factorization, bool, SecondPassColumns<T>&&, const PivotRule&, SecondPass<T>&, \
                                     DelayedColumns<T>&, PivotReport&, MemoryAccount*);                             \
    template void update_contribution<T>(Factorization, const SecondPass<T>&, index_t, index_t, bool, DenseView<T>, \
                                         MemoryAccount*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
