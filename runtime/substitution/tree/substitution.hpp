// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/workspace_pool.hpp"
#include "substitution/tree/branches/device_share.hpp"
#include "substitution/tree/front_products.hpp"
#include "substitution/tree/row_exchange.hpp"
#include "substitution/tree/segment_moves.hpp"
#include "substitution/tree/solve_unit.hpp"
#include "engine/insert_task.hpp"
#include "tasks/solve/solve_second_pass.hpp"
#include "tasks/solve/segments.hpp"

namespace frond::detail {

/// Forward, diagonal and backward substitution with the factors, over the tree, for one block of permuted and scaled
/// right-hand sides x [n, rhs], solved in place: by tasks, or at once where the plan says `alone`. Kernels and their
/// order are the same for every plan, and so are the bits.
/// operation: none; transpose or adjoint for LU only (the symmetric kinds conjugate outside).
/// The object must live until the job's tasks and messages have ended.
///
/// With factors that several ranks share (factors.ownership.share), all of them make the same substitutions, in the same order, and
/// call forward, diagonal and backward alike, by the same plan (shared_plan.hpp). Each submits the tasks of its own units, and posts
/// the messages of the rows that they exchange, in one order on all ranks. So a rank that waits until few tasks are left
/// blocks nobody: of all units that are not complete, the first one waits for no later one. Tasks that cannot be
/// submitted fail the job, and messages go on.
///
/// Tasks on the tiles of fronts that `devices` lists run on devices. With `devices.branches` the units of this rank's branches
/// have no tasks. The calling thread makes the sweeps through all of them, the forward one before it submits anything, the
/// backward one after all else of that sweep has been submitted and the solution at the contribution rows of the roots has
/// come; it waits for that. No other rank sees a difference.
template <class T>
class Substitution {
public:
    Substitution(const TreeFactors<T>& factors, const SubstitutionPlan& plan, Operation operation, DenseView<T> x,
                 Job& job, WorkspacePool& workspaces);
    /// With factors.ownership.share: takes all memory that the messages need, and posts none.
    /// @throws InvalidArgument where a message does not fit, alike on the two ranks of it; OutOfMemory
    Substitution(const TreeFactors<T>& factors, const SubstitutionPlan& plan, Operation operation, DenseView<T> x,
                 Job& job, WorkspacePool& workspaces, const SharedBlock& block, const DeviceShare<T>& devices = {});

    void forward();
    void diagonal();
    void backward();
    /// When all tasks have ended: what devices have of x goes to the host's memory. Workers must run.
    void bring_to_host() const;

    /// Largest scratch block that a kernel of the substitution asks for.
    static count_t workspace_bytes(const Analysis& analysis, index_t rhs);

private:
    using Unit = SolveUnit<T>;
    /// Whether kernels run at once, on this thread, which may be that of a group's task.
    enum class Execution { as_tasks, sequential };

    TaskLabel label_of(const Unit& unit, SolveStage stage) const;
    /// The operations of one sweep through the unit.
    double flops_of(const Unit& unit) const;
    void register_data();
    void make_room();
    void run_units(SolveStage stage);
    void run_unit(Unit& unit, SolveStage stage, Execution execution);
    void submit_unit(index_t unit, SolveStage stage);
    DataHandle columns_of(const UnitGroup& group) const;
    void register_used(const std::vector<char>& used);
    void place_tasks(const std::vector<std::uint8_t>& fronts_on_devices);
    template <class Arguments>
    void run(Execution execution, starpu_codelet& codelet, Arguments arguments, std::span<const Operand> operands,
             int priority);

    void submit_group(index_t group, SolveStage stage);
    std::vector<Access> accesses_of_group(index_t group, SolveStage stage);
    static void run_group(void* self, index_t group, SolveStage stage);
    DataRef columns_handle(const Unit& unit) const;
    void add_outside(Unit& unit, bool own, bool rows, starpu_data_access_mode mode, std::vector<Operand>& to) const;

    void solve_subtree(Unit& unit, SolveStage stage, Execution execution);
    void gather(Unit& unit, Execution execution);
    void scatter(Unit& unit, Execution execution);
    void forward_tiles(Unit& unit, Execution execution);
    void backward_tiles(Unit& unit, Execution execution);
    void diagonal_tile(Unit& unit, index_t k, SolveStage stage, Execution execution);
    void second_pass(Unit& unit, SolveStage stage, Execution execution);
    void submit_second_pass(Unit& unit, SolveStage stage);
    const SecondPassGather& gather_of_second_pass(Unit& unit);
    bool is_here(const Unit& unit) const { return share_ == nullptr || share_->owns(unit.planned->front); }
    /// A shared front of which this rank has a part.
    struct SharedFront {
        SharedFront(const SharedBlock& of, const SegmentMoves& at_rest) : block(of), moves(at_rest) {}

        SharedBlock block;
        SegmentMoves moves;
        count_t most_messages = 0;  // of all stages
        HostBlock memory;  // of the products
        std::array<std::deque<TravellingProducts<T>>, 3> products;  // [stages] from here or to here, in order
    };
    /// What the ranks of a shared front do, step by step.
    struct SharedSteps {
        std::function<void(index_t tile)> diagonal;  // of this rank
        std::function<void(const ProductBatch& batch, count_t number)> products;  // of all; number: of their message
    };
    index_t rank_of_step(const Unit& unit, SolveStage stage, index_t target, index_t source) const;
    index_t home_of(const Unit& unit, index_t segment) const;
    void walk_shared(const Unit& unit, SolveStage stage, SharedFront& front, const SegmentMoves::Move& move,
                     const SharedSteps& steps);
    void list_products(const Unit& unit, SolveStage stage, SharedFront& front);
    void take_memory(SharedFront& front);
    void post_in_front(const SharedFront& front, const Unit& unit, DataRef data, index_t from, index_t to,
                       count_t number);
    void run_products(Unit& unit, SolveStage stage, const SharedFront& front, const TravellingProducts<T>* travelling,
                      const ProductBatch& batch, count_t number);
    void make_shared_fronts(const SharedBlock& block);
    MessageTag tag_of_move(index_t front, const SharedFront& shared, count_t number) const;
    void run_shared(index_t unit, SolveStage stage);
    std::vector<char> units_used_here(const PositionRoutes& routes) const;
    void make_exchanges(const SharedBlock& block);
    void link_subtrees_to_themselves();
    void exchange_positions(index_t unit, SolveStage stage);
    void exchange_contribution(index_t unit, SolveStage stage);
    void run_on_ranks(index_t unit, SolveStage stage);
    bool is_in_branch(const Unit& unit) const;
    bool is_root_of_branch(const Unit& unit) const;
    void run_branches(SolveStage stage);
    template <class Submit>
    void submit_tasks(const Submit& submit);
    /// Where a row of x is in the data of tasks.
    struct RowPlace {
        DataRef handle = nullptr;
        index_t row = 0;
    };
    RowPlace place_of_position(index_t position) const;
    std::vector<SegmentRow> rows_in(const std::vector<DataRef>& segments, const std::vector<index_t>& positions) const;
    std::vector<DataRef> handles_of_second_pass(Unit& unit) const;
    std::vector<DataRef> handles_of_positions(const std::vector<index_t>& positions) const;

    /// One product of the list that update() sends as one task: target row tile t, source row tile s.
    struct Term {
        index_t target = 0, source = 0;
    };
    /// True: a product uses the transposed tile.
    bool is_mirrored(bool backward) const {
        return is_symmetric(factors_.kind()) ? backward : operation_ != Operation::none;
    }
    /// The operation with which products read a tile.
    Operation tile_operation(bool backward) const;
    void update(Unit& unit, const std::vector<Term>& terms, bool backward, Execution execution);
    void update_in_groups(Unit& unit, const std::vector<Term>& terms, bool backward, Execution execution);

    const TreeFactors<T>& factors_;
    const TreeShare* share_;  // null: this process has all units
    BranchSweeps<T>* branches_ = nullptr;  // null: tasks do them
    const SubstitutionPlan& plan_;
    Operation operation_;
    DenseView<T> x_;
    Job& job_;
    WorkspacePool& workspaces_;
    HostBlock contributions_;
    std::vector<Unit> units_;  // postorder
    std::vector<DataHandle> columns_;  // of x, a group each
    std::deque<std::vector<SegmentProduct>> products_;  // read by tasks under way
    std::map<const Unit*, SecondPassGather> gathers_;  // likewise; of units with a second pass
    std::vector<index_t> identity_;  // 0, 1, ...: relative rows of a contribution vector in itself
    std::map<index_t, RowExchange<T>> contributions_of_;  // unit: with its parent on another rank
    std::map<index_t, SharedFront> shared_fronts_;  // unit
    std::multimap<index_t, RowExchange<T>> positions_of_;  // unit: that its second pass takes from others, or from here
};

}  // namespace frond::detail
