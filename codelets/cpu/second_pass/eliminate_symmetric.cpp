// SPDX-License-Identifier: BSD-3-Clause
#include "../permute_rows.hpp"
#include "../scalar.hpp"
#include "second_pass_parts.hpp"
#include "frond/base/instantiate.hpp"

#include <cmath>

namespace frond::cpu {
namespace {

/// Positions after the second pass, in a new order: `kept` with pivots, `null` ones, those handed
/// on.
struct Positions {
    std::vector<index_t> order;
    index_t kept = 0, null = 0;
};

template <class T>
index_t factor_symmetric(bool hermitian, DenseView<T> a, index_t r, const PivotRule& rule, std::vector<index_t>& perm,
                         SecondPass<T>& second_pass, std::vector<double>& null_rest, PivotReport& report,
                         MemoryAccount* account) {
    const index_t f = a.cols;
    const count_t scratch = factor_second_pass_ldlt_workspace(f, r);
    const TakenBytes bytes(account, bytes_of<T>(scratch));
    HostVector<T> workspace(at(scratch));
    second_pass.pivots = counted_vector<T>(2 * static_cast<count_t>(f), account);
    return factor_second_pass_ldlt<T>(a, hermitian, rule, second_pass.pivots.data(), perm.data(), workspace.data(),
                                      report, null_rest.data())
        .kept;
}

/// Full columns of the symmetric matrix whose lower trapezoid is a.
template <class T>
void copy_full(bool hermitian, DenseView<const T> a, DenseView<T> to) {
    for (index_t j = 0; j < a.cols; ++j) {
        std::copy(a.column(j) + j, a.column(j) + a.rows, to.column(j) + j);
        for (index_t i = j + 1; i < a.cols; ++i) to(j, i) = conjugate_if(hermitian, a(i, j));
    }
}

/// Finds, among the columns without a pivot, those that depend on others: delayed, they would grow from
/// front to front until they are seen to be null. Columns with zeros among themselves, more of them
/// than contribution rows, are always dependent. dependent [a.cols]; returns their number; rest: what
/// is left of them.
template <class T>
index_t find_null_columns(bool hermitian, DenseView<const T> a, const PivotRule& rule, unsigned char* dependent,
                          double& rest, double& flops, MemoryAccount* account) {
    std::fill_n(dependent, a.cols, static_cast<unsigned char>(0));
    if (a.cols < 2) return 0;
    HostVector<T> copy = counted_vector<T>(static_cast<count_t>(a.rows) * a.cols, account);
    copy_full<T>(hermitian, a, packed_view(copy, a.rows, a.cols));
    const bool finite = std::all_of(copy.begin(), copy.end(), [](T x) { return std::isfinite(abs1(x)); });
    const index_t count =
        finite ? find_dependent_columns<T>(packed_view(copy, a.rows, a.cols), rule.zero_pivot, dependent, &rest) : 0;
    free_counted(copy, account);
    flops = finite ? find_dependent_columns_flops(a.rows, a.cols, a.cols - count) : 0;
    return count;
}

/// Sorts f positions: the first `with_pivots` have them (0: null), the others may be null, too.
template <class T>
Positions sort_positions(const HostVector<T>& pivots, index_t with_pivots, index_t f, const unsigned char* null) {
    std::vector<index_t> kept, without, to_parent;
    for (index_t k = 0; k < with_pivots; ++k) {
        const bool pair = pivots[at(2 * k + 1)] != T(0);
        (pair || pivots[at(2 * k)] != T(0) ? kept : without).push_back(k);
        if (pair) kept.push_back(++k);
    }
    for (index_t k = with_pivots; k < f; ++k) (null[k - with_pivots] != 0 ? without : to_parent).push_back(k);
    Positions positions{kept, static_cast<index_t>(kept.size()), static_cast<index_t>(without.size())};
    for (const auto* list : {&without, &to_parent})
        positions.order.insert(positions.order.end(), list->begin(), list->end());
    return positions;
}

/// The Schur complement of the delayed columns moves to the end of a; they go up, the last one
/// first.
template <class T>
void move_delayed(const Positions& positions, DenseView<T> a) {
    const index_t first = positions.kept + positions.null, f = a.cols;
    for (index_t j = f - 1; j >= first; --j) {
        const T* const from = a.column(positions.order[at(j)]);
        T* const to = a.column(j);
        for (index_t i = f - 1; i >= j; --i) to[i] = from[positions.order[at(i)]];
        if (to != from) std::copy(from + f, from + a.rows, to + f);
    }
}

/// L of the kept pivots moves to the first columns, its rows to the new order. L of a null pivot is
/// a unit vector, and is not stored; its row is 0 in the columns after it.
template <class T>
void move_kept(const Positions& positions, DenseView<T> a, HostVector<T>& pivots) {
    for (index_t k = 0; k < positions.kept; ++k) {
        const index_t from = positions.order[at(k)];
        for (index_t i = positions.kept; i < positions.kept + positions.null; ++i)
            if (positions.order[at(i)] < from) a(positions.order[at(i)], from) = T(0);
        if (from == k) continue;
        std::copy_n(a.column(from), a.rows, a.column(k));
        std::copy_n(&pivots[at(2 * from)], 2, &pivots[at(2 * k)]);
    }
    gather_rows(positions.order.data(), a.block(0, 0, a.cols, positions.kept));
}

}  // namespace

template <class T>
void eliminate_symmetric(bool hermitian, SecondPassColumns<T>& columns, const PivotRule& rule,
                         SecondPass<T>& second_pass, DelayedColumns<T>& delayed, PivotReport& report,
                         MemoryAccount* account) {
    const index_t f = columns.cols(), r = columns.ncb;
    const DenseView<T> a = packed_view(columns.a, f + r, f);
    std::vector<index_t> perm(at(f));
    std::vector<double> rest(at(f));
    const index_t tried = factor_symmetric(hermitian, a, r, rule, perm, second_pass, rest, report, account);
    std::vector<unsigned char> null(at(f - tried));
    double dependent_rest = 0;
    report.zero += find_null_columns<T>(hermitian, a.block(tried, tried, f - tried + r, f - tried), rule, null.data(),
                                        dependent_rest, second_pass.search_flops, account);
    std::fill(rest.begin() + tried, rest.end(), dependent_rest);
    const Positions positions = sort_positions(second_pass.pivots, tried, f, null.data());
    if (positions.null > 0) {
        move_delayed(positions, a);
        move_kept(positions, a, second_pass.pivots);
    }
    const index_t kept = second_pass.kept = positions.kept, skipped = kept + positions.null;
    second_pass.null_columns = second_pass.null_rows = positions.null;
    second_pass.null_rest.clear();
    for (index_t k = kept; k < skipped; ++k) second_pass.null_rest.push_back(rest[at(positions.order[at(k)])]);
    second_pass.pivots = leading_part(std::move(second_pass.pivots), 2 * static_cast<count_t>(kept), account);
    perm = permuted(perm, positions.order);
    second_pass.row_position = second_pass.column_position = permuted(columns.column_position, perm);
    if (!second_pass.own_rows.empty()) gather_rows(perm.data(), packed_view(second_pass.own_rows, f, second_pass.npiv));
    delayed.column_position.assign(second_pass.column_position.begin() + skipped, second_pass.column_position.end());
    delayed.row_position = delayed.column_position;
    delayed.columns = packed_or_all<T>(account, a.block(skipped, skipped, f - skipped + r, f - skipped), columns.a);
    second_pass.panel = leading_part(std::move(columns.a), static_cast<count_t>(f + r) * kept, account);
}

#define FROND_INSTANTIATE(T)                                                                            \
    template void eliminate_symmetric<T>(bool, SecondPassColumns<T>&, const PivotRule&, SecondPass<T>&, \
                                         DelayedColumns<T>&, PivotReport&, MemoryAccount*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
