// SPDX-License-Identifier: BSD-3-Clause
// Collective factorization: new values to row blocks, from there to rank 0, and reports back.
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/call_clock.hpp"
#include "ranked/call_names.hpp"
#include "ranked/option_values.hpp"
#include "ranked/ranked_solver.hpp"
#include "ranked/report_fields.hpp"
#include "ranked/whole_matrix.hpp"
#include "session/parallel_for.hpp"
#include "submit/factorize_matrix.hpp"

namespace frond::detail {
template <class T>
void RankedSolver<T>::factor(const GivenPart<T>& given, const FactorOptions& options) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("factor", factor_values_of(options)));
    if (const T* const known = known_values(given)) return factor_known(given, known, options);
    InputReport input;
    const RankPart<T> part = agreed_part(given.make, input);
    // Other duplicates would move the cuts, to which all is bound that each rank has of an analysis by rows.
    const bool has_cuts = of_rows_.part != nullptr && rows_pattern_->cuts.order() == part.entries->rows();
    const Values values = values_of(part, has_cuts ? &rows_pattern_->cuts : nullptr);
    const bool by_rows = is_distributed_ || (!is_analysed_ && keeps_rows(values, options.memory_budget_bytes));
    const bool analyses = !by_rows && !is_analysed_;
    try {
        if (analyses) analyze_first(part, values, options);
        const bool order_known = whole_has_order_ && values.plan == plan_;
        if (by_rows || (order_known && makes_route(values, options)))
            factor_rows(values, options);
        else
            factor_whole(values, order_known, options);
    } catch (...) {
        if (analyses) forget_all();
        throw;
    }
    if (list_ == nullptr) remember(part, values.plan);
    if (part.is_of_view || list_ == part.values) input_report_ = input;
    factored(values);
}

/// Rank 0 analyses, for a factorization.
template <class T>
void RankedSolver<T>::analyze_first(const RankPart<T>& part, const Values& values, const FactorOptions& options) {
    expect_possible(options);
    forget();
    analyze_whole(values, options.memory_budget_bytes);
    remember(part, values.plan);
}

/// order_known: rank 0 has factored or analysed this pattern in this order, so that values are enough.
template <class T>
void RankedSolver<T>::factor_whole(const Values& a, bool order_known, const FactorOptions& options) {
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    expect_possible(options);
    expect_room(a, order_known, options.memory_budget_bytes);
    tree_.set_memory_budget(options.memory_budget_bytes);
    tree_.set_whole();
    const BlockPattern& pattern = *a.plan->pattern();
    WholeMatrix<T> whole;
    if (order_known)
        whole.value = gather_values(*ranks_, pattern, *a.value);
    else
        whole = gather_matrix(*ranks_, pattern, *a.value);
    const bool had_factors = of_rows_.part != nullptr && drop_factors_of_rows();
    FactorReport report;
    try {
        tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
            FactorOptions with_stop = options;
            with_stop.cancel = stop;
            if (order_known) {
                report = whole_.factor_values(whole.value, with_stop);
                return;
            }
            with_view(whole, pattern.symmetry, [&](const auto& view) { report = whole_.factor(view, with_stop); });
        });
    } catch (...) {
        restore_factors(had_factors);
        throw;
    }
    of_rows_ = {};  // it was of the analysis and the mapping from before
    rows_pattern_.reset();
    diagonal_memory_ = {};
    share(*ranks_, report);
    factor_report_ = std::move(report);
    factor_options_ = without_callbacks(options);
    whole_has_order_ = true;
}

/// Refuses what cannot be, before any work.
template <class T>
void RankedSolver<T>::expect_possible(const FactorOptions& options) {
    collectively(
        *ranks_, [&] { check_factor_options(options); }, NameRank::no);
    collectively(*ranks_, [&] {
        if (options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed))
            throw Cancelled("the factorization was cancelled before it began");
    });
}

template <class T>
void RankedSolver<T>::factored(Values a) {
    if (ranks_->rank() == 0) analysis_report_ = whole_.analysis()->report;
    share(*ranks_, analysis_report_);
    a_ = std::move(a);
    systems_ = {};
    is_dense_ = false;
    is_analysed_ = has_factors_ = true;
}

#define FROND_INSTANTIATE(T)                                                                               \
    template void RankedSolver<T>::analyze_first(const RankPart<T>&, const Values&, const FactorOptions&); \
    template void RankedSolver<T>::factor(const GivenPart<T>&, const FactorOptions&);                      \
    template void RankedSolver<T>::factor_whole(const Values&, bool, const FactorOptions&);                \
    template void RankedSolver<T>::factored(Values);                                                       \
    template void RankedSolver<T>::expect_possible(const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
