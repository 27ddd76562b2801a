// SPDX-License-Identifier: BSD-3-Clause
// Collective factorization where entries go from row blocks straight to the fronts.
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/distributed/scaling_of_rows.hpp"
#include "driver/rank_driver.hpp"
#include "ranked/report_fields.hpp"
#include "system/rows/block_facts.hpp"
#include "session/parallel_for.hpp"
#include "submit/factorize_matrix.hpp"

namespace frond::detail {
namespace {

bool are_same(Communicator& ranks, const BlockPattern& a, const BlockPattern& b) {
    std::vector<count_t> differ{
        &a != &b && (a.cuts.first != b.cuts.first || a.begin != b.begin || a.column != b.column) ? 1 : 0};
    ranks.all_reduce_max(differ);
    return differ[0] == 0;
}

}  // namespace

template <class T>
FactorReport RankDriver<T>::factors_of_rows(const Values& a, const FactorOptions& options) {
    const BlockPattern& pattern = *a.plan->pattern();
    const ParallelFor parallel_for = parallel_for_outside_jobs(*state_of(session_), "diagonal");
    const DiagonalOfRows<T> diagonal =
        diagonal_of_rows(*ranks_, pattern, *a.value, present_.diagonal_memory, parallel_for);
    const auto scaling =
        std::make_shared<const Scaling>(scaling_of_rows(*ranks_, pattern, *a.value, diagonal.range,
                                                        *present_.of_rows.part, options.pivoting == Pivoting::none));
    collectively(*ranks_, [&] {
        tree_.set_rows(present_.of_rows.part, present_.of_rows.mapping,
                       {a.plan->pattern(), a.value, present_.of_rows.route, scaling});
    });
    return factored_by_all(options, [&](const FactorOptions& with_stop) {
        local_.factor_rows(present_.of_rows.part, diagonal.matrix, scaling, with_stop);
    });
}

/// Drops the factors of process 0, which its driver cannot make again by itself. True: there were some. The others free
/// their parts at the same time, unless somebody else has these factors.
template <class T>
bool RankDriver<T>::drop_factors_of_rows() {
    count_t there[]{0, -1};  // whether there are factors; the number of the share that goes
    if (ranks_->rank() == 0 && has_factors()) {
        const std::shared_ptr<FactorsState<T>>& state = state_of(local_.factors());
        there[0] = 1;
        if (state.use_count() == 1 && !state->factors.ownership.is_alone())
            there[1] = state->factors.ownership.share->number;
    }
    ranks_->all_reduce_max(there);
    if (ranks_->rank() == 0)
        local_.forget_factors();
    else
        tree_.forget_factors(there[1]);
    return there[0] != 0;
}

/// Earlier factors are gone: those of the values that they were of are made again.
template <class T>
void RankDriver<T>::restore_factors(bool had_factors) {
    if (!had_factors || present_.a.value == nullptr || present_.of_rows.part == nullptr) return;
    try {
        static_cast<void>(factors_of_rows(present_.a, factor_options_));
        if (ranks_->rank() == 0) local_.report_origin(factor_report_.fell_back_to_ldlt, factor_report_.escalated);
    } catch (...) {  // on all ranks; the caller throws why the others failed
    }
}

template <class T>
bool RankDriver<T>::rank_0_has_factors() {
    std::vector<count_t> there{ranks_->rank() == 0 && has_factors() ? 1 : 0};
    ranks_->all_reduce_max(there);
    return there[0] != 0;
}

/// Factors new values with the same analysis; from now on the factors are those of these values.
template <class T>
FactorReport RankDriver<T>::new_factors_of_rows(const Values& a, const FactorOptions& options) {
    const bool had_factors = drop_factors_of_rows();
    try {
        return factors_of_rows(a, options);
    } catch (...) {
        restore_factors(had_factors);
        throw;
    }
}

template <class T>
void RankDriver<T>::factor_rows(const Values& a, const FactorOptions& options) {
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    expect_possible(options);
    expect_finite_blocks(*ranks_, *a.plan->pattern(), *a.value,
                         parallel_for_outside_jobs(*state_of(session_), "values"), a.are_finite);
    if (present_.of_rows.part == nullptr) analyze_rows(a, options_.factorization);
    const bool same = are_same(*ranks_, *present_.of_rows.pattern, *a.plan->pattern());
    collectively(
        *ranks_,
        [&] { FROND_EXPECTS(same, "the pattern of the matrix differs from the analysed one; analyze it first"); },
        NameRank::no);
    FactorReport report = new_factors_of_rows(a, options);
    if (const auto kind = this->other_kind(report.status, a.plan->pattern()->symmetry)) {
        if (!present_.is_distributed) return factor_whole(a, false, options, kind);
        local_.forget_factors();  // an error leaves none, as factor_report_ is of earlier ones
        analyze_rows(a, *kind);
        report = factors_of_rows(a, options);
        report.fell_back_to_ldlt = true;
        if (ranks_->rank() == 0) local_.report_origin(true, false);
    }
    have(std::move(report), options);
}

#define FROND_INSTANTIATE(T)                                                                       \
    template FactorReport RankDriver<T>::factors_of_rows(const Values&, const FactorOptions&);     \
    template bool RankDriver<T>::drop_factors_of_rows();                                           \
    template bool RankDriver<T>::rank_0_has_factors();                                             \
    template void RankDriver<T>::restore_factors(bool);                                            \
    template FactorReport RankDriver<T>::new_factors_of_rows(const Values&, const FactorOptions&); \
    template void RankDriver<T>::factor_rows(const Values&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
