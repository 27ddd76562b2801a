// SPDX-License-Identifier: BSD-3-Clause
// Collective analysis where each rank keeps its rows of A, and ways of entries to the fronts.
#include <span>
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/instantiate.hpp"
#include "memory/memory_limit.hpp"
#include "ranked/distributed/analysis_by_ranks.hpp"
#include "driver/rank_driver.hpp"
#include "ranked/report_fields.hpp"
#include "ranked/tree/sharing.hpp"
#include "ranked/whole_matrix.hpp"
#include "system/rows/block_facts.hpp"
#include "session/parallel_for.hpp"
#include "submit/factorize_matrix.hpp"

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

}  // namespace

/// True: ranks keep their rows, on request, or since rank 0 has no room for A.
template <class T>
bool RankDriver<T>::keeps_rows(const Values& a, count_t budget) {
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
void RankDriver<T>::analyze_rows(const Values& a, Factorization asked) {
    const BlockPattern& pattern = *a.plan->pattern();
    const Definiteness definiteness = definiteness_of_blocks(*ranks_, pattern, *a.value);
    MatrixFacts facts{asked, definiteness.positive_diagonal};
    collectively(*ranks_,
                 [&] { facts.kind = kind_for(asked, pattern.symmetry, is_complex<T>, definiteness.possible); });
    const AnalysisOptions options = options_of_rank_0(*ranks_, options_);
    // The rates of cards would give a little tree to one rank.
    const RankMachine machine = machine_of(team_.workers(), share_always() ? std::vector<count_t>() : team_.cards());
    present_.of_rows = analyze_by_ranks(*ranks_, pattern, facts, options, machine, static_cast<count_t>(sizeof(T)));
    present_.of_rows.pattern = a.plan->pattern();
    present_.is_distributed = true;
    analysis_report_ = present_.of_rows.part->report;
    share(*ranks_, analysis_report_);
    if (ranks_->rank() == 0) local_.take_part(present_.of_rows.part);
    present_.is_analysed = true;
}

/// True: ranks share the tree of rank 0's analysis. On rank 0. The mapping is made here, if there is none yet.
template <class T>
bool RankDriver<T>::maps_tree(const FactorOptions& options) {
    const std::shared_ptr<const Analysis> analysis = local_.analysis();
    if (analysis == nullptr || analysis_report_.matched || analysis->options.scaling == ScalingMethod::matching)
        return false;  // such a scaling needs the whole matrix
    if (has_factors() && !present_.is_dense && tree_.has_dealt(*state_of(local_.factors()))) return true;
    return tree_.maps(analysis, carried_out(options.pivoting, analysis->factorization));
}

/// Once rank 0 has analysed A, the ranks get their parts of the analysis, and values go from row blocks straight to the
/// fronts that they belong to, where several ranks share the tree and the scaling does not need the whole matrix. Whether
/// there is such a way now. Collective.
template <class T>
bool RankDriver<T>::makes_route(const Values& a, const FactorOptions& options) {
    if (present_.of_rows.part != nullptr) return true;
    expect_possible(options);
    std::vector<count_t> shared{0};
    collectively(*ranks_, [&] { shared[0] = ranks_->rank() == 0 && maps_tree(options) ? 1 : 0; });
    ranks_->all_reduce_max(shared);
    if (shared[0] == 0) return false;
    tree_.set_whole();
    tree_.conduct(nullptr, [&](const std::atomic<bool>*) { tree_.deal(local_.analysis()); });
    const BlockPattern& pattern = *a.plan->pattern();
    AnalysisOfRanks of_rows{tree_.analysis(), tree_.mapping(), nullptr, a.plan->pattern()};
    of_rows.route = std::make_shared<const EntryRoute>(*ranks_, pattern, *of_rows.mapping, *of_rows.part,
                                                       parallel_for_outside_jobs(*state_of(session_), "places"));
    present_.of_rows = std::move(of_rows);
    return true;
}

#define FROND_INSTANTIATE(T)                                                 \
    template bool RankDriver<T>::keeps_rows(const Values&, count_t);         \
    template void RankDriver<T>::analyze_rows(const Values&, Factorization); \
    template bool RankDriver<T>::maps_tree(const FactorOptions&);            \
    template bool RankDriver<T>::makes_route(const Values&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
