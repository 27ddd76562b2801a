// SPDX-License-Identifier: BSD-3-Clause
// What a Solver is in a session with a communicator.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/rank_part.hpp"
#include "frond/solver.hpp"
#include "ranked/distributed/analysis_by_ranks.hpp"
#include "ranked/distributed/diagonal_of_rows.hpp"
#include "ranked/tree/rank_tree.hpp"
#include "ranked/rank_vectors.hpp"
#include "system/rows/entry_plan.hpp"
#include "system/linear_system.hpp"
#include "session/ranked_session.hpp"

namespace frond::detail {

/// A is in row blocks over all ranks, and so are residuals. The analysis, and all decisions, are those of a Solver on rank 0,
/// which has the whole of A or, where the analysis is distributed, what each rank has;
/// where it factors and substitutes, the other ranks do their part of the tree. Every function is collective, and throws
/// the same on all ranks.
template <class T>
class RankedSolver {
public:
    RankedSolver(const Session& session, const AnalysisOptions& options);
    /// A copy with messages of its own. Collective.
    RankedSolver(const RankedSolver& other);
    RankedSolver& operator=(const RankedSolver&) = delete;

    void analyze(const MakePart<T>& part);
    void factor(const GivenPart<T>& part, const FactorOptions& options);
    void factor_values(std::span<const T> values, const FactorOptions& options);
    void factor_dense(const DenseMatrixView<T>& a, const FactorOptions& options);
    /// analysis: that of rank 0 counts.
    void use(const std::shared_ptr<const Analysis>& analysis);
    /// Whether a solve may bring other factors.
    enum class Escalation : bool { no, allowed };
    SolveReport solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options, Escalation escalation);
    void multiply(Operation operation, BlockView<const T> x, BlockView<T> y);
    ConditionEstimate condition(const std::atomic<bool>* cancel);
    NullSpace<T> null_vectors(Operation operation, const std::atomic<bool>* cancel);
    std::optional<typename Factors<T>::LogDeterminant> log_determinant();
    std::vector<RankReport> rank_reports();

    /// @throws InvalidArgument  there is none; not collective
    const AnalysisReport& analysis_report() const;
    const FactorReport& factor_report() const;
    const InputReport& input_report() const { return input_report_; }
    /// The solver of rank 0, which decides; that of the others has nothing.
    const Solver<T>& whole() const { return whole_; }

private:
    /// A as it was factored, or is to be.
    struct Values {
        std::shared_ptr<const EntryPlan<T>> plan;
        std::shared_ptr<const LargeVector<T>> value;  // of plan->pattern()
        bool are_finite = false;  // on this rank that is known already
    };

    RankPart<T> agreed_part(const MakePart<T>& part, InputReport& input);
    Values values_of(const RankPart<T>& part, const RowCuts* cuts = nullptr);
    const T* known_values(const GivenPart<T>& given);
    void factor_known(const GivenPart<T>& given, const T* value, const FactorOptions& options);
    /// value: in the order of list_; on this rank's host.
    void factor_in_order(const T* value, const FactorOptions& options);
    void remember(const RankPart<T>& part, std::shared_ptr<const EntryPlan<T>> plan);
    /// So far, of the calling thread and of the one that works.
    double idle_seconds();
    void forget();
    void forget_all();
    void analyze_first(const RankPart<T>& part, const Values& values, const FactorOptions& options);
    void analyze_whole(const Values& a, count_t budget);
    // Where entries go from row blocks straight to fronts: distributed/{analyze,factor}_rows.cpp.
    bool keeps_rows(const Values& a, count_t budget);
    void analyze_rows(const Values& a, Factorization asked);
    void factor_rows(const Values& a, const FactorOptions& options);
    FactorReport factors_of_rows(const Values& a, const FactorOptions& options);
    FactorReport new_factors_of_rows(const Values& a, const FactorOptions& options);
    bool drop_factors_of_rows();
    void restore_factors(bool had_factors);
    void restore_lost_factors();
    bool rank_0_has_factors();
    bool chooses_kind();
    bool makes_route(const Values& a, const FactorOptions& options);
    bool maps_tree(const FactorOptions& options);
    void factor_whole(const Values& a, bool order_known, const FactorOptions& options);
    void factor_indefinite(const Values& a, const FactorOptions& options);
    void factored(Values a);
    void fill_part(RankReport& mine) const;
    /// order_known: rank 0 needs the values alone, as they come and in its order.
    void expect_room(const Values& a, bool order_known, count_t budget);
    bool has_factors() const;
    void expect_factors(const char* call);
    void expect_possible(const FactorOptions& options);
    /// Rows of vectors on their way.
    const RowCuts& cuts() const { return is_dense_ ? dense_cuts_ : a_.plan->pattern()->cuts; }

    const LinearSystem<T>& system(Operation operation);
    std::vector<double> scale_of_block(Operation operation);
    void apply_factors(DenseView<T> x, const SolveOptions& options, SolveReport& report);
    void solve_blocks(DenseView<const T> b, DenseView<T> x, const SolveOptions& options, Escalation escalation,
                      SolveReport& report);
    /// Rank 0 solves with all columns, and the others do what it asks of them.
    void solve_dense(DenseView<const T> b, DenseView<T> x, const SolveOptions& options, Escalation escalation,
                     SolveReport& report);
    void multiply_dense(Operation operation, DenseView<const T> x, DenseView<T> y);
    void solve_part(DenseView<T> x, index_t width, const SolveOptions& options, SolveReport& report);
    bool may_improve(const SolveReport& report, const SolveOptions& options, Escalation escalation) const;
    void improve_on_rank_0(DenseView<const T> b, DenseView<T> x, const SolveOptions& options, Escalation escalation,
                           SolveReport& report);
    void bound_errors(DenseView<const T> b, DenseView<const T> x, const SolveOptions& options, SolveReport& report);
    index_t columns_at_once(index_t rhs, const SolveOptions& options, SolveReport& report);

    Session session_;  // of this process alone
    std::unique_ptr<Communicator> ranks_;
    SolverNumber number_;
    Team team_;
    RankTree<T> tree_;
    Solver<T> whole_;
    AnalysisOptions options_;  // of all ranks alike: of the constructor, or of the analysis that use() brought
    bool is_analysed_ = false;
    bool whole_has_order_ = false;  // whole_ takes values in the order of gather_values
    bool has_factors_ = false;
    bool is_dense_ = false;  // A stays with the callers, in tree_
    RowCuts dense_cuts_;
    Values a_;  // sparse
    std::array<std::unique_ptr<const LinearSystem<T>>, 3> systems_;  // by operation, made when first asked for
    // How values come from row blocks to fronts; part null: they are gathered on rank 0.
    AnalysisOfRanks of_rows_;
    std::shared_ptr<const BlockPattern> rows_pattern_;  // that it is of
    DiagonalMemory<T> diagonal_memory_;  // of factorizations with it
    ValueMemory<T> value_memory_;  // of a_.value, and of the next
    bool is_distributed_ = false;  // of_rows_ is all that there is of the analysis; else rank 0 has the whole
    // The list that this rank gave when the order of its arrays became known; null: it is not.
    std::shared_ptr<const ValueList> list_;
    std::shared_ptr<const EntryPlan<T>> plan_;
    SparseMatrix<T> part_;  // its pattern
    std::vector<index_t> part_rows_;  // of a part by rows: those given
    bool part_by_rows_ = false;
    count_t part_duplicates_ = 0;  // that were summed in it
    AnalysisReport analysis_report_;
    FactorReport factor_report_;
    FactorOptions factor_options_;  // of the factors at hand, without callbacks
    InputReport input_report_;
    double seconds_ = 0;
};

}  // namespace frond::detail
