// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <vector>

#include "data/factors_state.hpp"
#include "frond/codelets/solve_tasks.hpp"
#include "frond/codelets/workspace_pool.hpp"

namespace frond::detail {

/// Forward, diagonal and backward substitution with the factors, as tasks over the tree, for one block
/// of permuted and scaled right-hand sides x [n, rhs], solved in place.
/// operation: none; transpose or adjoint for LU only (the symmetric kinds conjugate outside).
/// The object must live until the job's tasks have ended.
template <class T>
class Substitution {
public:
    Substitution(const FactorsState<T>& state, Operation operation, DenseView<T> x, Job& job,
                 WorkspacePool& workspaces);

    void submit_forward();
    void submit_diagonal();
    void submit_backward();

    /// Largest scratch block that a task of the substitution asks for.
    static count_t workspace_bytes(const Analysis& analysis, index_t rhs);

private:
    /// A subtree or a front on tiles: its segments of x and of its contribution vector.
    struct Unit {
        index_t front = -1;
        index_t subtree = -1;
        const TiledFront<T>* tiled = nullptr;
        std::vector<DataHandle> own, contribution;
        DenseView<T> y;                  // all contribution rows
        ChildLink link;                  // to the parent, when there are contribution rows
        Unit* parent = nullptr;
        std::vector<Unit*> children;
        std::vector<ChildLink> children_links;
    };

    void make_units(DenseView<T> x);
    void register_segments(Unit& unit, DenseView<T> x, T*& contribution);
    void link_to_parents();
    starpu_data_handle_t segment(const Unit& unit, index_t t) const;

    void solve_subtree(Unit& unit, SolveStage stage);
    void gather(Unit& unit);
    void scatter(Unit& unit);
    void forward_tiles(Unit& unit);
    void backward_tiles(Unit& unit);
    void diagonal_tile(Unit& unit, index_t k, SolveStage stage);
    void leftover(Unit& unit, SolveStage stage);
    starpu_data_handle_t segment_of_slot(index_t slot) const;

    /// One product of the list that update() sends as one task: target row tile t, source row tile s.
    struct Term {
        index_t target = 0, source = 0;
    };
    void update(Unit& unit, const std::vector<Term>& terms, bool backward);
    void update_in_groups(Unit& unit, const std::vector<Term>& terms, bool backward);

    const FactorsState<T>& state_;
    Operation operation_;
    index_t rhs_;
    DenseView<T> x_;
    Job& job_;
    WorkspacePool& workspaces_;
    HostBlock contributions_;
    std::deque<Unit> units_;  // postorder
    std::vector<Unit*> unit_of_front_;
    std::deque<std::vector<SegmentProduct>> products_;  // read by tasks under way
};

}  // namespace frond::detail
