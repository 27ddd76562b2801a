// SPDX-License-Identifier: BSD-3-Clause
// A tree that the ranks of a solver factor together.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "factors/other_ranks.hpp"
#include "frond/reports.hpp"
#include "memory/predict_peak.hpp"
#include "ranked/dealt/ordering_by_ranks.hpp"
#include "ranked/distributed/ranked_sparse.hpp"
#include "ranked/ranked_dense.hpp"
#include "ranked/team.hpp"
#include "substitution/tree/solve_layout.hpp"

namespace frond::detail {

template <class T>
struct FactorCommand;
template <class T>
class UnitFactorization;

/// One rank's part. Rank 0 takes all decisions, those of a Solver of one process: it asks the others, by OtherRanks, for
/// their part in each factorization and substitution, and each of the others does its part in serve().
template <class T>
class RankTree final : public OtherRanks<T> {
public:
    using typename OtherRanks<T>::Factoring;

    RankTree(Team& team, std::shared_ptr<SessionState> session, std::int64_t solver);
    /// The tree of a copy of the solver, with the same factors.
    RankTree(const RankTree& other, Team& team, std::int64_t solver);
    RankTree& operator=(const RankTree&) = delete;

    /// What this rank did in the last factorization, sent and received there, and sent and received in all.
    struct Part {
        count_t analysis_bytes = 0, factor_bytes = 0, peak_bytes = 0, peak_bytes_predicted = 0;
        double flops = 0;
        MessageCounts messages, factor_messages;
    };
    const Part& part() const noexcept { return part_; }

    /// The budget of this rank for the next factorizations; 0: what the machine has.
    void set_memory_budget(count_t bytes) noexcept { memory_budget_bytes_ = bytes; }

    /// Forgets, on ranks other than 0, all factors, which nobody will use any more, and what the ranks have of the matrix.
    void forget() {
        factors_.clear();
        set_whole();
    }

    /// Forgets the factors with this number, if there are any.
    void forget_factors(std::int64_t number) { factors_.erase(number); }

    /// The matrix of the next factorization, which is dense, as this rank has it.
    void set_dense(DensePart<T> part);
    /// It is sparse, and rank 0 has the whole.
    void set_whole() {
        dense_ = nullptr;
        rows_ = nullptr;
    }
    /// It is sparse, and each rank has rows. analysis: this rank's part; it, mapping and rows are of all ranks alike.
    void set_rows(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const RankMapping> mapping,
                  ScaledRows<T> rows);
    /// True, on rank 0: all ranks have their parts of the analysis, by the mapping that these factors were made with.
    bool has_dealt(const FactorsState<T>& state) const {
        return !state.factors.ownership.is_alone() && state.analysis == analysis_ &&
               state.factors.ownership.share->whose == mapping_ && !shares_new_mapping_;
    }
    /// True, on rank 0, for a sparse A: the ranks share the tree, which is mapped then.
    bool maps(const std::shared_ptr<const Analysis>& analysis, Pivoting pivoting);
    /// All ranks get their parts of an analysis that maps() has mapped. On rank 0, while it leads.
    void deal(const std::shared_ptr<const Analysis>& analysis);
    /// The analysis of the last factorization by all ranks: this rank's part, on rank 0 perhaps the whole.
    const std::shared_ptr<const Analysis>& analysis() const noexcept { return analysis_; }
    const std::shared_ptr<const RankMapping>& mapping() const noexcept { return mapping_; }
    std::shared_ptr<const DenseRanks<T>> dense_matrix() const override { return dense_; }
    std::shared_ptr<const SparseRanks<T>> sparse_matrix() const override { return rows_; }

    /// work(stop) on rank 0, which may factor and solve by all ranks; the others serve. Collective.
    void conduct(const std::atomic<bool>* cancel, const std::function<void(const std::atomic<bool>* stop)>& work);

    // On rank 0, see OtherRanks:
    std::shared_ptr<const TreeShare> share(const FactorsState<T>& state) override;
    PeakPrediction predicted(const FactorsState<T>& state) override;
    void begin_factorization(const FactorsState<T>& state, const T* entries, const Factoring& how,
                             const std::function<void()>& make) override;
    index_t failing_unit() const override;
    void end_factorization(FactorsState<T>& state, std::exception_ptr error, PivotReport& pivots) override;
    std::int64_t begin_substitution(const FactorsState<T>& state, SharedSolve& solve, DenseView<const T> x) override;
    AgreedPlace agree(std::exception_ptr error, BranchPlace mine) override;
    void end_substitution(const FactorsState<T>& state, const SharedSolve& solve, std::exception_ptr error,
                          DenseView<T> x) override;
    void watch(Job* job, std::int64_t number) override { team_.board().watch(job, number); }

private:
    void serve(Command command, const std::vector<std::byte>& bytes);
    void serve_deal(Unpacker& arguments);
    void serve_factorization(Unpacker& arguments);
    void serve_substitution(Unpacker& arguments);
    void take(const FactorCommand<T>& command);
    /// whole: on rank 0. This rank's part, packed; nothing on rank 0.
    std::vector<std::byte> deal_analysis(const std::shared_ptr<const Analysis>& whole);
    void make_branches(const Analysis& analysis);
    /// Whether several ranks have a part of the tree; mapping_ is of it then. On rank 0.
    bool maps(const std::shared_ptr<const Analysis>& analysis, const MessageRule& rule, bool is_dense);
    void map(const std::shared_ptr<const Analysis>& analysis, const MessageRule& rule, bool is_dense);
    std::shared_ptr<const TreeShare> share_of(const Analysis& analysis, const MessageRule& rule);
    std::shared_ptr<const TreeShare> share_of_rows(const Analysis& analysis, const MessageRule& rule);
    std::shared_ptr<FactorsState<T>> state_for(const FactorCommand<T>& command);
    std::unique_ptr<DenseLoading<T>> loading_for(const FactorsState<T>& state, const Scaling& scaling) const;

    std::exception_ptr run(UnitFactorization<T>& units, FactorsState<T>& state, PivotReport& pivots);

    /// Scaled entries of the fronts of each rank go from rank 0 to it. On rank 0: from all of them.
    void deal_entries(const Analysis& analysis, const TreeShare& share, const T* all, T* mine);

    std::vector<std::byte> findings(const FactorsState<T>& state, const PivotReport& pivots) const;
    void gather_pivots(FactorsState<T>& state, PivotReport& pivots);
    void share_second_pass_positions(FactorsState<T>& state);
    /// Brings x from rank 0 to the others, or back. On rank 0 the whole of x, elsewhere the rank's positions are read
    /// or written.
    void scatter(const SolveLayout& layout, DenseView<const T> whole, DenseView<T> mine);
    void gather(const SolveLayout& layout, DenseView<const T> mine, DenseView<T> whole);
    const SolveLayouts& layouts(const FactorsState<T>& state, SolvePart part);
    std::vector<std::int64_t> alive_factors();
    void keep_part(const FactorsState<T>& state);
    /// Between a begin_ and its end_. Counts of the session: solvers that work at the same time count each other's.
    void begin_counting();
    MessageCounts end_counting();  // of it

    Team& team_;
    OrderingByRanks ordering_{team_};
    std::shared_ptr<SessionState> session_;
    std::int64_t solver_;
    std::int64_t number_ = 0;  // of the last job
    std::shared_ptr<const Analysis> analysis_;  // on rank 0 of which the others have parts; elsewhere this rank's
    std::shared_ptr<const RankMapping> mapping_;  // of it
    std::shared_ptr<const Branches>
        branches_;  // of that, of this rank, for its devices; null: not known, or it has none
    std::weak_ptr<const Analysis> mapped_;  // on rank 0: of which mapping_ is, where rank 0 has the whole
    MessageRule mapped_for_;  // what it is for
    bool shares_new_mapping_ = false;  // on rank 0: the others do not have it as yet
    count_t memory_budget_bytes_ = 0;
    Part part_;
    std::shared_ptr<const RankedDense<T>> dense_;  // A; null: it is sparse
    std::shared_ptr<const RankedSparse<T>> rows_;  // A; null: rank 0 has the whole, or it is dense
    /// What follows from analysis and mapping alone, so that later factorizations find it.
    struct Predicted {
        std::weak_ptr<const Analysis> analysis;
        std::weak_ptr<const RankMapping> mapping;
        MessageRule rule;
        PeakPrediction peak;
    } predicted_;
    struct Layouts {
        std::int64_t number = 0;  // of the share
        SolvePart part = SolvePart::all;
        SolveLayouts layouts;
    };
    std::optional<Layouts> layouts_;  // of the last substitution
    MessageCounts before_;
    std::vector<std::weak_ptr<const TreeShare>> shares_;  // on rank 0: of factors that may still be used
    std::map<std::int64_t, std::shared_ptr<FactorsState<T>>> factors_;  // on other ranks, by the number of their share
};

}  // namespace frond::detail
