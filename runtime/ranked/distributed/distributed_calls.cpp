// SPDX-License-Identifier: BSD-3-Clause
// Collective analysis and factorization where each rank keeps its rows of A, and no rank has the whole.
#include <span>
#include <utility>

#include "factors/state_of.hpp"
#include "frond/analysis/dense_steps.hpp"
#include "frond/analysis/kept_scaling.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "memory/memory_limit.hpp"
#include "ranked/distributed/analysis_by_ranks.hpp"
#include "ranked/distributed/scaling_of_rows.hpp"
#include "ranked/ranked_solver.hpp"
#include "ranked/report_fields.hpp"
#include "ranked/tree/sharing.hpp"
#include "ranked/whole_matrix.hpp"
#include "row_blocks/products/block_facts.hpp"

namespace frond::detail {
namespace {

/// What a Solver takes from its session, which the ranks need not have alike.
struct OptionsOfSession {
    index_t workers, ranks, cut_for_gpus;
    TreeCut tree_cut;
    MachineDescription machine;
};

/// The tree is cut on all ranks as on rank 0.
AnalysisOptions options_of_rank_0(Communicator& ranks, AnalysisOptions options) {
    OptionsOfSession of_rank_0{options.workers, options.ranks, options.cut_for_gpus, options.tree_cut, options.machine};
    ranks.broadcast(std::as_writable_bytes(std::span(&of_rank_0, 1)), 0);
    options.workers = of_rank_0.workers;
    options.ranks = of_rank_0.ranks;
    options.cut_for_gpus = of_rank_0.cut_for_gpus;
    options.tree_cut = of_rank_0.tree_cut;
    options.machine = of_rank_0.machine;
    return options;
}

bool are_same(Communicator& ranks, const BlockPattern& a, const BlockPattern& b) {
    std::vector<count_t> differ{a.cuts.first != b.cuts.first || a.begin != b.begin || a.column != b.column ? 1 : 0};
    ranks.all_reduce_max(differ);
    return differ[0] == 0;
}

}  // namespace

/// On request, or where rank 0 has no room for A.
template <class T>
bool RankedSolver<T>::keeps_rows(const Values& a, count_t budget) {
    const DistributedAnalysis asked = options_.distributed_analysis;
    const bool possible = ranks_->size() > 1 && team_.channel() != nullptr && a.plan->pattern()->cuts.order() > 0;
    if (!possible || asked == DistributedAnalysis::off) return false;
    if (asked == DistributedAnalysis::on) return true;
    if (!ranks_->orders_graphs()) return false;
    const count_t needed = whole_matrix_bytes<T>(*ranks_, *a.plan->pattern());
    std::vector<count_t> too_large{0};
    collectively(*ranks_, [&] { too_large[0] = ranks_->rank() == 0 && needed > budget_bytes(budget) ? 1 : 0; });
    ranks_->all_reduce_max(too_large);
    return too_large[0] != 0;
}

template <class T>
void RankedSolver<T>::analyze_rows(const Values& a, Factorization asked) {
    const BlockPattern& pattern = *a.plan->pattern();
    const Definiteness definiteness = definiteness_of_blocks(*ranks_, pattern, *a.value);
    MatrixFacts facts{asked, definiteness.positive_diagonal};
    collectively(*ranks_,
                 [&] { facts.kind = kind_for(asked, pattern.symmetry, is_complex<T>, definiteness.possible); });
    const AnalysisOptions options = options_of_rank_0(*ranks_, options_);
    // By the rates of cards a little tree would be one rank's.
    const RankMachine machine = machine_of(team_.workers(), share_always() ? std::vector<count_t>() : team_.cards());
    of_rows_ = analyze_by_ranks(*ranks_, pattern, facts, options, machine, static_cast<count_t>(sizeof(T)));
    rows_pattern_ = a.plan->pattern();
    analysis_report_ = of_rows_.part->report;
    share(*ranks_, analysis_report_);
    if (ranks_->rank() == 0) whole_.analysis_ = of_rows_.part;
    is_analysed_ = true;
}

template <class T>
FactorReport RankedSolver<T>::factors_of_rows(const Values& a, const FactorOptions& options) {
    const BlockPattern& pattern = *a.plan->pattern();
    std::vector<T> stored = diagonal_of_blocks(*ranks_, pattern, *a.value);
    SharedMatrix<T> diagonal;
    collectively(*ranks_, [&] {
        if (ranks_->rank() == 0)
            diagonal = std::make_shared<const SparseMatrix<T>>(canonical_diagonal(std::move(stored), pattern.symmetry));
    });
    const auto scaling = std::make_shared<const Scaling>(
        scaling_of_rows(*ranks_, pattern, *a.value, diagonal, *of_rows_.part, options.pivoting == Pivoting::none));
    collectively(*ranks_, [&] {
        tree_.set_rows(of_rows_.part, of_rows_.mapping, {a.plan->pattern(), a.value, of_rows_.route, scaling});
    });
    tree_.set_memory_budget(options.memory_budget_bytes);
    FactorReport report;
    tree_.conduct(options.cancel, [&](const std::atomic<bool>* stop) {
        FactorOptions with_stop = options;
        with_stop.cancel = stop;
        report = whole_.factor_rows(of_rows_.part, diagonal, scaling, with_stop);
    });
    share(*ranks_, report);
    return report;
}

template <class T>
void RankedSolver<T>::factor_rows(const Values& a, const FactorOptions& options) {
    expect_not_cancelled(options);
    expect_finite_blocks(*ranks_, *a.plan->pattern(), *a.value);
    const Factorization asked = options_.factorization;
    if (of_rows_.part == nullptr) analyze_rows(a, asked);
    const bool same = are_same(*ranks_, *rows_pattern_, *a.plan->pattern());
    collectively(
        *ranks_,
        [&] { FROND_EXPECTS(same, "the pattern of the matrix differs from the analysed one; analyze it first"); },
        NameRank::no);
    FactorReport report = factors_of_rows(a, options);
    // The automatic choice of L L^H was a guess from the diagonal.
    if (asked == Factorization::automatic && report.status == FactorStatus::not_positive_definite) {
        if (ranks_->rank() == 0) whole_.factors_ = {};  // an error leaves none, as factor_report_ is of earlier ones
        analyze_rows(a, a.plan->pattern()->symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt);
        report = factors_of_rows(a, options);
        report.fell_back_to_ldlt = true;
        if (ranks_->rank() == 0) state_of(whole_.factors_)->report.fell_back_to_ldlt = true;
    }
    factor_report_ = std::move(report);
    whole_has_order_ = false;
}

#define FROND_INSTANTIATE(T)                                                                     \
    template bool RankedSolver<T>::keeps_rows(const Values&, count_t);                           \
    template void RankedSolver<T>::analyze_rows(const Values&, Factorization);                   \
    template FactorReport RankedSolver<T>::factors_of_rows(const Values&, const FactorOptions&); \
    template void RankedSolver<T>::factor_rows(const Values&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
