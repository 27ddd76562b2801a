// SPDX-License-Identifier: BSD-3-Clause
// Collective factorization where entries go from row blocks straight to the fronts.
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/distributed/scaling_of_rows.hpp"
#include "ranked/ranked_solver.hpp"
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
FactorReport RankedSolver<T>::factors_of_rows(const Values& a, const FactorOptions& options) {
    const BlockPattern& pattern = *a.plan->pattern();
    const ParallelFor parallel_for = parallel_for_outside_jobs(*state_of(session_), "diagonal");
    const DiagonalOfRows<T> diagonal = diagonal_of_rows(*ranks_, pattern, *a.value, diagonal_memory_, parallel_for);
    const auto scaling =
        std::make_shared<const Scaling>(scaling_of_rows(*ranks_, pattern, *a.value, diagonal.range, *of_rows_.part,
                                                        options.pivoting == Pivoting::none));
    collectively(*ranks_, [&] {
        tree_.set_rows(of_rows_.part, of_rows_.mapping, {a.plan->pattern(), a.value, of_rows_.route, scaling});
    });
    tree_.set_memory_budget(options.memory_budget_bytes);
    FactorReport report;
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        FactorOptions with_stop = options;
        with_stop.cancel = stop;
        report = whole_.factor_rows(of_rows_.part, diagonal.matrix, scaling, with_stop);
    });
    share(*ranks_, report);
    return report;
}

/// Drops the factors of rank 0, which its Solver cannot make again by itself. True: there were some. The others free
/// their parts at the same time, unless somebody else has these factors.
template <class T>
bool RankedSolver<T>::drop_factors_of_rows() {
    count_t there[]{0, -1};  // whether there are factors; the number of the share that goes
    if (ranks_->rank() == 0 && has_factors()) {
        const std::shared_ptr<FactorsState<T>>& state = state_of(whole_.factors());
        there[0] = 1;
        if (state.use_count() == 1 && !state->factors.ownership.is_alone())
            there[1] = state->factors.ownership.share->number;
    }
    ranks_->all_reduce_max(there);
    if (ranks_->rank() == 0)
        whole_.factors_ = {};
    else
        tree_.forget_factors(there[1]);
    return there[0] != 0;
}

/// Earlier factors are gone: those of the values that they were of are made again.
template <class T>
void RankedSolver<T>::restore_factors(bool had_factors) {
    if (!had_factors || a_.value == nullptr || of_rows_.part == nullptr) return;
    try {
        static_cast<void>(factors_of_rows(a_, factor_options_));
        if (ranks_->rank() > 0) return;
        FactorReport& report = state_of(whole_.factors_)->report;
        report.escalated = factor_report_.escalated;
        report.fell_back_to_ldlt = factor_report_.fell_back_to_ldlt;
    } catch (...) {  // on all ranks; the caller throws why the others failed
    }
}

template <class T>
bool RankedSolver<T>::rank_0_has_factors() {
    std::vector<count_t> there{ranks_->rank() == 0 && has_factors() ? 1 : 0};
    ranks_->all_reduce_max(there);
    return there[0] != 0;
}

/// Called after a solve in which rank 0's Solver wanted other factors, and may have lost the present ones.
template <class T>
void RankedSolver<T>::restore_lost_factors() {
    if (of_rows_.part != nullptr && !rank_0_has_factors()) restore_factors(true);
}

/// Factors new values with the same analysis; from now on the factors are those of these values.
template <class T>
FactorReport RankedSolver<T>::new_factors_of_rows(const Values& a, const FactorOptions& options) {
    const bool had_factors = drop_factors_of_rows();
    try {
        return factors_of_rows(a, options);
    } catch (...) {
        restore_factors(had_factors);
        throw;
    }
}

/// Whether rank 0's Solver was to choose the kind, as the options say that its analysis was made with.
template <class T>
bool RankedSolver<T>::chooses_kind() {
    std::vector<count_t> chooses{ranks_->rank() == 0 && whole_.options_.factorization == Factorization::automatic ? 1
                                                                                                                  : 0};
    ranks_->all_reduce_max(chooses);
    return chooses[0] != 0;
}

/// The choice of L L^H was a guess: rank 0 analyses the matrix again, for the indefinite kind.
template <class T>
void RankedSolver<T>::factor_indefinite(const Values& a, const FactorOptions& options) {
    const bool is_hermitian = a.plan->pattern()->symmetry == Symmetry::hermitian;
    const Factorization asked =
        std::exchange(whole_.options_.factorization, is_hermitian ? Factorization::ldlh : Factorization::ldlt);
    const std::shared_ptr<const Analysis> before = std::exchange(whole_.analysis_, nullptr);
    try {
        factor_whole(a, false, options);
    } catch (...) {
        whole_.options_.factorization = asked;
        if (whole_.analysis_ == nullptr) whole_.analysis_ = before;
        throw;
    }
    whole_.options_.factorization = asked;
    factor_report_.fell_back_to_ldlt = true;
    if (ranks_->rank() == 0) state_of(whole_.factors_)->report.fell_back_to_ldlt = true;
}

template <class T>
void RankedSolver<T>::factor_rows(const Values& a, const FactorOptions& options) {
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    expect_possible(options);
    expect_finite_blocks(*ranks_, *a.plan->pattern(), *a.value,
                         parallel_for_outside_jobs(*state_of(session_), "values"), a.are_finite);
    if (of_rows_.part == nullptr) analyze_rows(a, options_.factorization);
    const bool same = are_same(*ranks_, *rows_pattern_, *a.plan->pattern());
    collectively(
        *ranks_,
        [&] { FROND_EXPECTS(same, "the pattern of the matrix differs from the analysed one; analyze it first"); },
        NameRank::no);
    FactorReport report = new_factors_of_rows(a, options);
    // The automatic choice of L L^H was a guess from the diagonal.
    if (report.status == FactorStatus::not_positive_definite && chooses_kind()) {
        if (!is_distributed_) return factor_indefinite(a, options);
        if (ranks_->rank() == 0) whole_.factors_ = {};  // an error leaves none, as factor_report_ is of earlier ones
        analyze_rows(a, a.plan->pattern()->symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt);
        report = factors_of_rows(a, options);
        report.fell_back_to_ldlt = true;
        if (ranks_->rank() == 0) state_of(whole_.factors_)->report.fell_back_to_ldlt = true;
    }
    factor_report_ = std::move(report);
    factor_options_ = without_callbacks(options);
}

#define FROND_INSTANTIATE(T)                                                                         \
    template FactorReport RankedSolver<T>::factors_of_rows(const Values&, const FactorOptions&);     \
    template bool RankedSolver<T>::drop_factors_of_rows();                                           \
    template bool RankedSolver<T>::rank_0_has_factors();                                             \
    template void RankedSolver<T>::restore_lost_factors();                                           \
    template bool RankedSolver<T>::chooses_kind();                                                   \
    template void RankedSolver<T>::restore_factors(bool);                                            \
    template FactorReport RankedSolver<T>::new_factors_of_rows(const Values&, const FactorOptions&); \
    template void RankedSolver<T>::factor_indefinite(const Values&, const FactorOptions&);           \
    template void RankedSolver<T>::factor_rows(const Values&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
