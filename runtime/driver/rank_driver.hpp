// SPDX-License-Identifier: BSD-3-Clause
// A Solver of several processes.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driver/local_driver.hpp"
#include "frond/base/large_vector.hpp"
#include "ranked/columns_view.hpp"
#include "ranked/distributed/analysis_by_ranks.hpp"
#include "ranked/distributed/diagonal_of_rows.hpp"
#include "ranked/tree/rank_tree.hpp"
#include "ranked/rank_vectors.hpp"
#include "system/rows/entry_plan.hpp"
#include "system/linear_system.hpp"
#include "session/ranked_session.hpp"

namespace frond::detail {

/// A is in row blocks over all processes, and so are residuals. The analysis, and all decisions, are those of a LocalDriver
/// on process 0, which has the whole of A or, where the analysis is distributed, what each process has; where it factors
/// and substitutes, the others do their part of the tree.
template <class T>
class RankDriver final : public Driver<T> {
public:
    using typename Driver<T>::Escalation;

    RankDriver(const Session& session, const AnalysisOptions& options);
    /// A copy with messages of its own. Collective.
    RankDriver(const RankDriver& other);
    std::shared_ptr<Driver<T>> copy() const override { return std::make_shared<RankDriver>(*this); }

    void analyze(const GivenMatrix<T>& a) override;
    /// analysis: that of process 0 counts.
    void use(const std::shared_ptr<const Analysis>& analysis) override;
    void factor(const GivenMatrix<T>& a, const FactorOptions& options) override;
    void factor_values(std::span<const T> values, const FactorOptions& options) override;
    void factor_dense(const DenseMatrixView<T>& a, const FactorOptions& options) override;
    SolveReport solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options,
                      Escalation escalation) override;
    void multiply(Operation operation, BlockView<const T> x, BlockView<T> y) override;
    ConditionEstimate condition(const std::atomic<bool>* cancel) override;
    NullSpace<T> null_vectors(Operation operation, const std::atomic<bool>* cancel) override;
    std::optional<typename Factors<T>::LogDeterminant> log_determinant() override;
    std::vector<RankReport> rank_reports() override;
    void meet(const char* call, std::exception_ptr error) override {
        expect_agreement(*ranks_, {{"the call", call}}, std::move(error));
    }

    const std::shared_ptr<const Analysis>& analysis() const noexcept override { return local_.analysis(); }
    const Factors<T>& factors() const noexcept override { return local_.factors(); }
    const AnalysisReport& analysis_report() const override;
    const FactorReport& factor_report() const override;

private:
    using Driver<T>::options_;
    using Driver<T>::factor_options_;
    using Driver<T>::factor_report_;
    using Driver<T>::input_report_;

    /// A as it was factored, or is to be.
    struct Values {
        std::shared_ptr<const EntryPlan<T>> plan;
        std::shared_ptr<const LargeVector<T>> value;  // of plan->pattern()
        bool are_finite = false;  // on this rank that is known already
    };

    /// What there is of the matrix, its analysis and its factors.
    struct Present {
        bool is_analysed = false;
        bool local_has_order = false;  // local_ takes values in the order of gather_values
        bool has_factors = false;
        bool is_dense = false;  // A stays with the callers, in tree_
        RowCuts dense_cuts;
        Values a;  // sparse
        ValueMemory<T> value_memory;  // of a.value, and of the next
        // How values come from row blocks to fronts; part null: they are gathered on process 0.
        AnalysisOfRanks of_rows;
        DiagonalMemory<T> diagonal_memory;  // of factorizations with it
        bool is_distributed = false;  // of_rows is all that there is of the analysis; else process 0 has the whole
        // What this process gave when the order of its arrays became known; list null: it is not.
        std::shared_ptr<const ValueList> list;
        std::shared_ptr<const EntryPlan<T>> plan;
        SparseMatrix<T> part;  // its pattern
        std::vector<index_t> part_rows;  // where it was given by rows: which
        bool part_by_rows = false;
        count_t part_duplicates = 0;  // that were summed in it
    };

    /// On this process, for a list: no more than the session has workers, since other processes may have the same cores.
    index_t list_threads() const;
    RankPart<T> agreed_part(const GivenMatrix<T>& given, InputReport& input);
    Values values_of(const RankPart<T>& part, const RowCuts* cuts = nullptr);
    const T* known_values(const GivenMatrix<T>& given);
    void factor_known(const GivenMatrix<T>& given, const T* value, const FactorOptions& options);
    /// value: in the order of list_; on this rank's host.
    void factor_in_order(const T* value, const FactorOptions& options);
    void remember(const RankPart<T>& part, std::shared_ptr<const EntryPlan<T>> plan);
    /// So far, of the calling thread and of the one that works.
    double idle_seconds();
    void forget();
    void forget_all();
    void analyze_first(const RankPart<T>& part, const Values& values, const FactorOptions& options);
    void analyze_whole(const Values& a, count_t budget);
    // Where entries go from row blocks straight to fronts: ranks/{analyze,factor}_rows.cpp.
    bool keeps_rows(const Values& a, count_t budget);
    void analyze_rows(const Values& a, Factorization asked);
    void factor_rows(const Values& a, const FactorOptions& options);
    FactorReport factors_of_rows(const Values& a, const FactorOptions& options);
    FactorReport new_factors_of_rows(const Values& a, const FactorOptions& options);
    bool drop_factors_of_rows();
    void restore_factors(bool had_factors);
    bool rank_0_has_factors();
    bool makes_route(const Values& a, const FactorOptions& options);
    bool maps_tree(const FactorOptions& options);
    /// kind: as LocalDriver::factor has it.
    void factor_whole(const Values& a, bool order_known, const FactorOptions& options,
                      std::optional<Factorization> kind = {});
    /// make() has local_ factor, on process 0 and with the work of all. The report, on all of them.
    FactorReport factored_by_all(const FactorOptions& options, const std::function<void(const FactorOptions&)>& make);
    void have(FactorReport report, const FactorOptions& options);
    void factored(Values a);
    void fill_part(RankReport& mine) const;
    /// order_known: rank 0 needs the values alone, as they come and in its order.
    void expect_room(const Values& a, bool order_known, count_t budget);
    bool has_factors() const;
    void expect_factors(const char* call);
    void expect_possible(const FactorOptions& options);
    /// Rows of vectors on their way.
    const RowCuts& cuts() const { return present_.is_dense ? present_.dense_cuts : present_.a.plan->pattern()->cuts; }

    /// Columns of all rows, on process 0; on others there is no memory behind the view.
    struct WholeColumns {
        HostBlock memory;
        DenseView<T> view;
    };
    WholeColumns whole_columns(index_t cols);
    /// mine: rows of the blocks.
    WholeColumns gathered(DenseView<const T> mine);
    const LinearSystem<T>& system(Operation operation);
    std::vector<double> scale_of_block(Operation operation);
    void apply_factors(DenseView<T> x, const SolveOptions& options, SolveReport& report);
    void solve_blocks(DenseView<const T> b, DenseView<T> x, const SolveOptions& options, Escalation escalation,
                      SolveReport& report);
    SolveReport solve_on_rank_0(const WholeColumns& whole, const SolveOptions& options, Escalation escalation);
    void solve_dense(DenseView<const T> b, DenseView<T> x, const SolveOptions& options, Escalation escalation,
                     SolveReport& report);
    void multiply_dense(Operation operation, DenseView<const T> x, DenseView<T> y);
    void solve_part(DenseView<T> x, index_t width, const SolveOptions& options, SolveReport& report);
    void improve_on_rank_0(DenseView<const T> b, DenseView<T> x, const SolveOptions& options, Escalation escalation,
                           SolveReport& report);
    void bound_errors(DenseView<const T> b, DenseView<const T> x, const SolveOptions& options, SolveReport& report);
    index_t columns_at_once(DenseView<const T> b, const SolveOptions& options, SolveReport& report);

    Session session_;  // of this process alone
    std::unique_ptr<Communicator> ranks_;
    SolverNumber number_;
    Team team_;
    RankTree<T> tree_;
    LocalDriver<T> local_;  // on other processes than 0 it has nothing
    Present present_;
    std::array<std::unique_ptr<const LinearSystem<T>>, 3> systems_;  // by operation, made when first asked for
    AnalysisReport analysis_report_;
    double seconds_ = 0;
};

}  // namespace frond::detail
