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
#include "driver/rank_driver.hpp"
#include "ranked/report_fields.hpp"
#include "ranked/whole_matrix.hpp"
#include "session/parallel_for.hpp"
#include "submit/factorize_matrix.hpp"

namespace frond::detail {
template <class T>
void RankDriver<T>::factor(const GivenMatrix<T>& given, const FactorOptions& options) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("factor", factor_values_of(options)));
    if (const T* const known = known_values(given)) return factor_known(given, known, options);
    InputReport input;
    const RankPart<T> part = agreed_part(given, input);
    // Other duplicates would move the cuts, to which all is bound that each rank has of an analysis by rows.
    const bool has_cuts =
        present_.of_rows.part != nullptr && present_.of_rows.pattern->cuts.order() == part.entries->rows();
    const Values values = values_of(part, has_cuts ? &present_.of_rows.pattern->cuts : nullptr);
    const bool by_rows =
        present_.is_distributed || (!present_.is_analysed && keeps_rows(values, options.memory_budget_bytes));
    const bool analyses = !by_rows && !present_.is_analysed;
    try {
        if (analyses) analyze_first(part, values, options);
        const bool order_known = present_.local_has_order && values.plan == present_.plan;
        if (by_rows || (order_known && makes_route(values, options)))
            factor_rows(values, options);
        else
            factor_whole(values, order_known, options);
    } catch (...) {
        if (analyses) forget_all();
        throw;
    }
    const bool is_first = present_.list == nullptr;
    if (is_first) remember(part, values.plan);
    if (part.is_of_view || is_first || analyses) input_report_ = input;
    factored(values);
}

/// Rank 0 analyses, for a factorization.
template <class T>
void RankDriver<T>::analyze_first(const RankPart<T>& part, const Values& values, const FactorOptions& options) {
    expect_possible(options);
    forget();
    analyze_whole(values, options.memory_budget_bytes);
    remember(part, values.plan);
}

/// order_known: rank 0 has factored or analysed this pattern in this order, so that values are enough.
template <class T>
void RankDriver<T>::factor_whole(const Values& a, bool order_known, const FactorOptions& options,
                                 std::optional<Factorization> kind) {
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    expect_possible(options);
    expect_room(a, order_known, options.memory_budget_bytes);
    tree_.set_whole();
    const BlockPattern& pattern = *a.plan->pattern();
    WholeMatrix<T> whole;
    if (order_known)
        whole.value = gather_values(*ranks_, pattern, *a.value);
    else
        whole = gather_matrix(*ranks_, pattern, *a.value);
    const bool had_factors = present_.of_rows.part != nullptr && drop_factors_of_rows();
    FactorReport report;
    try {
        report = factored_by_all(options, [&](const FactorOptions& with_stop) {
            if (order_known) return local_.factor_values(whole.value, with_stop);
            with_view(whole, pattern.symmetry,
                      [&](const auto& view) { local_.factor(given_matrix<T>(view), with_stop, kind); });
        });
    } catch (...) {
        restore_factors(had_factors);
        throw;
    }
    present_.of_rows = {};  // it was of the analysis and the mapping from before
    present_.diagonal_memory = {};
    have(std::move(report), options);
    present_.local_has_order = true;
}

template <class T>
FactorReport RankDriver<T>::factored_by_all(const FactorOptions& options,
                                            const std::function<void(const FactorOptions&)>& make) {
    tree_.set_memory_budget(options.memory_budget_bytes);
    FactorReport report;
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        FactorOptions with_stop = options;
        with_stop.cancel = stop;
        make(with_stop);
        report = local_.factor_report();
    });
    share(*ranks_, report);
    return report;
}

template <class T>
void RankDriver<T>::have(FactorReport report, const FactorOptions& options) {
    factor_report_ = std::move(report);
    factor_options_ = without_callbacks(options);
}

/// Refuses what cannot be, before any work.
template <class T>
void RankDriver<T>::expect_possible(const FactorOptions& options) {
    collectively(
        *ranks_, [&] { check_factor_options(options); }, NameRank::no);
    collectively(*ranks_, [&] {
        if (options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed))
            throw Cancelled("the factorization was cancelled before it began");
    });
}

template <class T>
void RankDriver<T>::factored(Values a) {
    if (ranks_->rank() == 0) analysis_report_ = local_.analysis()->report;
    share(*ranks_, analysis_report_);
    present_.a = std::move(a);
    systems_ = {};
    present_.is_dense = false;
    present_.is_analysed = present_.has_factors = true;
}

#define FROND_INSTANTIATE(T)                                                                                \
    template void RankDriver<T>::analyze_first(const RankPart<T>&, const Values&, const FactorOptions&);    \
    template void RankDriver<T>::factor(const GivenMatrix<T>&, const FactorOptions&);                       \
    template void RankDriver<T>::factor_whole(const Values&, bool, const FactorOptions&,                    \
                                              std::optional<Factorization>);                                \
    template FactorReport RankDriver<T>::factored_by_all(const FactorOptions&,                              \
                                                         const std::function<void(const FactorOptions&)>&); \
    template void RankDriver<T>::have(FactorReport, const FactorOptions&);                                  \
    template void RankDriver<T>::factored(Values);                                                          \
    template void RankDriver<T>::expect_possible(const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
