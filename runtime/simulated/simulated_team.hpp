// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "factors/other_ranks.hpp"
#include "simulated/simulated_rank.hpp"
#include "submit/fronts/unit_factorization.hpp"

namespace frond::detail {

/// The ranks of simulated_cluster() in a factorization that rank 0 leads: as RankTree, but in one process, and with
/// messages that nobody sends.
template <class T>
class SimulatedTeam final : public OtherRanks<T> {
public:
    using typename OtherRanks<T>::Factoring;

    /// What each rank has.
    struct Node {
        index_t cores = 1, cards = 0;
        count_t memory_budget_bytes = 0;
        bool has_branches = false;  // which its cards do at once, see card_branches.hpp
    };
    SimulatedTeam(SimulatedWorld& world, const SimulatedCluster& cluster, const Node& node);
    SimulatedTeam(const SimulatedTeam&) = delete;
    SimulatedTeam& operator=(const SimulatedTeam&) = delete;
    ~SimulatedTeam();

    SimulatedRank& rank(index_t r) { return *ranks_[static_cast<std::size_t>(r)]; }
    /// What all ranks have done, after the factorization.
    SimulatedClusterWork work(const FactorsState<T>& state, double seconds);

    std::shared_ptr<const DenseRanks<T>> dense_matrix() const override { return nullptr; }
    std::shared_ptr<const SparseRanks<T>> sparse_matrix() const override { return nullptr; }
    std::shared_ptr<const TreeShare> share(const FactorsState<T>& state) override;
    PeakPrediction predicted(const FactorsState<T>& state) override {
        return predict_peak<T>(*state.analysis, state.session->cpu_workers(), state.factors.ownership.share.get());
    }
    void begin_factorization(const FactorsState<T>& state, const T* entries, const Factoring& how,
                             const std::function<void()>& make) override;
    index_t failing_unit() const override { return -1; }
    void end_factorization(FactorsState<T>& state, std::exception_ptr error, PivotReport& pivots) override;
    void watch(Job*, std::int64_t) override {}

    // No solve is simulated: these throw.
    std::int64_t begin_substitution(const FactorsState<T>& state, SharedSolve& solve, DenseView<const T> x) override;
    AgreedPlace agree(std::exception_ptr error, BranchPlace mine) override;
    void end_substitution(const FactorsState<T>& state, const SharedSolve& solve, std::exception_ptr error,
                          DenseView<T> x) override;

private:
    struct Part;
    std::shared_ptr<const TreeShare> share_of(index_t r) const;
    void factor_part(Part& part, const FactorsState<T>& first, const Factoring& how);
    void begin_branches(index_t r, const Analysis& analysis, const PivotRule& rule);
    void note(index_t r, const FactorsState<T>& state);
    void pass_collectives(index_t times) const;

    SimulatedWorld& world_;
    SimulatedCluster cluster_;
    Node node_;
    std::vector<std::unique_ptr<SimulatedRank>> ranks_;
    std::shared_ptr<const RankMapping> mapping_;
    MessageRule rule_;
    std::vector<std::unique_ptr<Part>> parts_;  // of ranks other than 0
    index_t working_ = 0;  // of those
    std::vector<SimulatedRankWork> work_;
};

}  // namespace frond::detail
