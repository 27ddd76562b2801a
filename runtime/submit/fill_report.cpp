// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fill_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "factors/pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/time_models.hpp"

namespace frond::detail {
namespace {

/// Entries of `columns` columns of a front: L, and U for LU; the diagonal once.
count_t entries_of(Factorization kind, count_t rows, count_t columns) {
    const count_t lower = rows * columns - columns * (columns - 1) / 2;
    return kind == Factorization::lu ? 2 * lower - columns : lower;
}

/// Entries of the columns that the first pass gave back: identity in the tiles, stored by the second pass.
template <class T>
count_t entries_given_back(const TiledFront<T>& tiled) {
    count_t entries = 0;
    const count_t order = tiled.front().nfront;
    for (index_t k = 0; k < tiled.own_tiles(); ++k) {
        const count_t first = tiled.grid().cut[at(k)] + tiled.kept(k), last = tiled.grid().cut[at(k) + 1];
        entries += entries_of(tiled.kind(), order - first, last - first);
    }
    return entries;
}

/// Entries of the second pass in place of those predicted for its columns; fronts with failed pivots have no others.
template <class T>
count_t entries_beside_prediction(const TreeFactors<T>& factors) {
    count_t entries = -entries_not_kept(factors);
    entries -= factors.ownership.remote_pivots.entries_not_kept;
    for_each_second_pass<T>(factors, [&](const cpu::SecondPass<T>& l) {
        entries += entries_of(factors.kind(), l.rows() + l.ncb, l.kept) +
                   static_cast<count_t>(l.own_rows.size() + l.own_columns.size());
    });
    return entries;
}

template <class T>
void describe_second_passes(FactorsState<T>& state, count_t null_pivots) {
    FactorReport& report = state.report;
    for_each_second_pass<T>(state.factors, [&report](const cpu::SecondPass<T>& l) {
        report.pivots.second_pass += l.cols();
        report.memory.factor_bytes += l.bytes();
    });
    report.memory.factor_entries += entries_beside_prediction(state.factors);
    if (null_pivots == 0) return;
    report.status = FactorStatus::singular;
    report.pivots.small_columns = null_columns(state.factors);
    report.pivots.null_rows = null_rows(state.factors);
}

/// Whether no more than rounding is lost of the pivots. Without a test of |l| rounding grows with them: up to here as far
/// as one step of threshold pivoting lets it. And it may be all that is left of one, which its sign then does not show.
/// Where the pivots have the signs of a quasi-definite matrix, only a loss against the diagonal counts.
template <class T>
bool are_pivots_sure(const FactorsState<T>& state, const PivotSizes& sizes) {
    constexpr double most_growth = 100, fewest = 4, most = 1e4, eps = std::numeric_limits<real_t<T>>::epsilon();
    if (state.report.pivoting == Pivoting::threshold || state.kind() == Factorization::llt) return true;
    const double rounding = eps * std::clamp<double>(state.analysis->order, fewest, most);
    const double largest = state.system.largest_entry;
    if (sizes.largest <= most_growth * largest && sizes.smallest > rounding * largest) return true;
    if (state.kind() == Factorization::lu || (is_complex<T> && state.kind() == Factorization::ldlt)) return false;
    const DiagonalComparison beside = compare_with_diagonal(state);
    return beside.has_signs && beside.least_share > rounding;
}

/// Without a search a null pivot makes the next ones infinite: then the report names it instead.
bool has_overflowed(const PivotReport& pivots, bool threshold) {
    return !std::isfinite(pivots.sizes.largest) && (threshold || pivots.zero == 0);
}

/// Whether the signs in D are those of A: no pivot was raised, null pivots were counted as such, not by a
/// sign as well, and rounding hides none that the structure asks for.
template <class T>
bool knows_inertia(const FactorsState<T>& state, const PivotReport& pivots) {
    const bool has_signs = state.kind() == Factorization::llt || state.kind() == Factorization::ldlh ||
                           (state.kind() == Factorization::ldlt && !is_complex<T>);
    const bool tested = state.report.pivoting == Pivoting::threshold;
    return has_signs && pivots.perturbed == 0 && (tested || pivots.zero == 0) && state.are_pivots_sure &&
           pivots.zero >= static_cast<count_t>(state.system.unmatched.columns.size());
}

}  // namespace

template <class T>
count_t entries_not_kept(const TreeFactors<T>& factors) {
    if (factors.layout != nullptr) return 0;  // devices made all of them
    count_t entries = 0;
    for (const auto& tiled : factors.tiled())
        if (tiled != nullptr) entries += entries_given_back(*tiled);
    for (const SubtreeFactors<T>& s : factors.subtrees())
        for (const auto& failed : s.pivots->second_passes.fronts) {
            const Front& front = factors.analysis->tree.fronts[at(failed.front)];
            entries += entries_of(factors.kind(), front.nfront, front.npiv);
        }
    return entries;
}

template <class T>
void fill_report(FactorsState<T>& state, const PivotReport& pivots, const PivotRule& rule) {
    FactorReport& report = state.report;
    FactorReport::Pivots& found = report.pivots;
    const bool threshold = rule.threshold > 0;
    report.factorization = state.kind();
    report.memory.factor_entries = state.analysis->cost.factor_entries;
    found.perturbed = pivots.perturbed;
    found.delayed = pivots.delayed;
    found.two_by_two = pivots.two_by_two;
    found.largest_l = pivots.largest_l;
    found.largest = pivots.sizes.largest;
    found.smallest = std::min(pivots.sizes.smallest, pivots.sizes.largest);
    found.raised_below = threshold ? 0 : rule.smallest_pivot;
    found.null_below = threshold ? rule.zero_pivot : 0;
    if (!report.place.on_device) report.work.subtree_tasks = static_cast<count_t>(state.factors.subtrees().size());
    if (simulates()) return;
    if (pivots.failed_column >= 0) {
        report.status = FactorStatus::not_positive_definite;
        found.failed_column = state.analysis->column_order[at(pivots.failed_column)];
        return;
    }
    if (has_overflowed(pivots, threshold)) {
        report.status = FactorStatus::overflowed;
        return;
    }
    if (threshold) {
        describe_second_passes(state, pivots.zero);
    } else if (pivots.perturbed + pivots.zero > 0) {
        report.status = FactorStatus::perturbed;
        found.small_columns = small_pivot_columns(state.factors, rule);
    }
    if (threshold && found.small_columns.empty()) {  // rounding may leave no null pivot
        found.small_columns = state.system.unmatched.columns;
        found.null_rows = state.system.unmatched.rows;
    }
    const bool all_null = pivots.zero == state.analysis->order && pivots.zero > 0;
    if (all_null || !state.system.unmatched.columns.empty()) report.status = FactorStatus::singular;
    state.are_pivots_sure = are_pivots_sure(state, pivots.sizes);
    if (knows_inertia(state, pivots)) found.inertia = Inertia{pivots.negative, pivots.zero, pivots.positive};
}

#define FROND_INSTANTIATE(T)                                     \
    template count_t entries_not_kept<T>(const TreeFactors<T>&); \
    template void fill_report<T>(FactorsState<T>&, const PivotReport&, const PivotRule&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
