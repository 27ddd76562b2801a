// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/substitution.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "memory/predict_peak.hpp"
#include "substitution/tree/substitution_run.hpp"
#include "tasks/solve/child_rows.hpp"
#include "tasks/solve/solve_subtree.hpp"

namespace frond::detail {

template <class T>
count_t Substitution<T>::workspace_bytes(const Analysis& analysis, index_t rhs) {
    count_t scalars = 0;
    for (const Subtree& s : analysis.mapping.subtrees) {
        const count_t above = static_cast<count_t>(analysis.tree.fronts[at(s.root_front)].ncb()) * rhs;
        scalars = std::max(scalars, cpu::subtree_solve_scalars(analysis.tree, s, rhs) + above);
    }
    return scalars * static_cast<count_t>(sizeof(T));
}

template <class T>
Substitution<T>::Substitution(const TreeFactors<T>& factors, const SubstitutionPlan& plan, Operation operation,
                              DenseView<T> x, Job& job, WorkspacePool& workspaces)
    : factors_(factors),
      share_(factors.ownership.share.get()),
      plan_(plan),
      operation_(operation),
      x_(x),
      job_(job),
      workspaces_(workspaces) {
    units_ = make_solve_units(factors, plan, x, contributions_);
    if (share_ == nullptr && plan.way != SubstitutionWay::alone) register_data();
}

template <class T>
TaskLabel Substitution<T>::label_of(const Unit& unit, SolveStage stage) const {
    const Analysis& analysis = *factors_.analysis;
    const index_t s = unit.planned->subtree, root = unit.planned->front;
    TaskLabel label = s < 0 ? label_of_front(analysis.tree, root)
                            : label_of_subtree(analysis.tree, analysis.mapping.subtrees[at(s)].first_front, root);
    label.stage = text_of(stage);
    label.rhs = x_.cols;
    return label;
}

/// Entries of symmetric kinds are used in both sweeps.
template <class T>
double Substitution<T>::flops_of(const Unit& unit) const {
    const double uses = is_symmetric(factors_.kind()) ? 1 : 0.5;
    return uses * update_flops(static_cast<double>(unit.planned->scalars), 1, x_.cols) * flops_per_real<T>;
}

template <class T>
void Substitution<T>::register_data() {
    const auto add = [](std::vector<Segment<T>>& segments) {
        for (Segment<T>& s : segments) s.register_data();
    };
    if (plan_.way == SubstitutionWay::units) {
        for (Unit& unit : units_) add(unit.outside());
        return;
    }
    for (Unit& unit : units_)
        if (unit.planned->group < 0) add(unit.tiles);
    for (const UnitGroup& group : plan_.groups) {
        Unit& root = units_[at(group.root)];
        columns_.push_back(columns_of(group));
        if (root.y.rows > 0) root.whole[1].register_data();
    }
}

/// Tasks that wait take memory, and what waits has its predecessors before it.
template <class T>
void Substitution<T>::make_room() {
    const count_t most = most_pending_tasks(*factors_.analysis);
    if (job_.pending() < most) return;
    job_.wait_until_few(most - most / 4);
}

template <class T>
void Substitution<T>::forward() {
    run_units(SolveStage::forward);
}

template <class T>
void Substitution<T>::diagonal() {
    if (has_block_diagonal(factors_.kind())) run_units(SolveStage::diagonal);
}

template <class T>
void Substitution<T>::backward() {
    run_units(SolveStage::backward);
}

/// Children before parents, or after them.
template <class T>
void Substitution<T>::run_units(SolveStage stage) {
    const Execution execution = plan_.way == SubstitutionWay::alone ? Execution::sequential : Execution::as_tasks;
    if (stage == SolveStage::forward) run_branches(stage);
    for (std::size_t n = 0; n < units_.size(); ++n) {
        const std::size_t u = stage == SolveStage::backward ? units_.size() - 1 - n : n;
        if (share_ != nullptr)
            run_on_ranks(static_cast<index_t>(u), stage);
        else if (execution == Execution::sequential)
            run_unit(units_[u], stage, execution);
        else
            submit_unit(static_cast<index_t>(u), stage);
    }
    if (stage == SolveStage::backward) run_branches(stage);
}

template <class T>
void Substitution<T>::run_unit(Unit& unit, SolveStage stage, Execution execution) {
    if (unit.grid == nullptr) return solve_subtree(unit, stage, execution);
    if (stage == SolveStage::forward) {
        gather(unit, execution);
        forward_tiles(unit, execution);
    } else if (stage == SolveStage::diagonal) {
        for (index_t k = 0; k < unit.tiled->own_tiles(); ++k) diagonal_tile(unit, k, stage, execution);
    } else if (unit.parent != nullptr && is_here(*unit.parent)) {
        scatter(unit, execution);
    }
    second_pass(unit, stage, execution);
    if (stage == SolveStage::backward) backward_tiles(unit, execution);
}

/// The unit's segments as other units see them.
template <class T>
void Substitution<T>::add_outside(Unit& unit, bool own, bool rows, starpu_data_access_mode mode,
                                  std::vector<Operand>& to) const {
    std::vector<Segment<T>>& segments = unit.outside();
    const auto first_row = at(unit.outside_own());
    for (std::size_t s = own ? 0 : first_row; s < (rows ? segments.size() : first_row); ++s) {
        const bool columns = s == 0 && !unit.whole.empty();
        to.push_back({columns ? columns_handle(unit) : segments[s].handle.get(), &segments[s].seen, mode});
    }
}

template <class T>
void Substitution<T>::solve_subtree(Unit& unit, SolveStage stage, Execution execution) {
    const Analysis& analysis = *factors_.analysis;
    const SubtreeFactors<T>& factors = factors_.subtrees()[at(unit.planned->subtree)];
    SubtreeSolveArguments a;
    a.stage = stage;
    a.operation = operation_;
    a.analysis = &analysis;
    a.subtree = &analysis.mapping.subtrees[at(unit.planned->subtree)];
    a.link = &unit.link;
    a.workspaces = &workspaces_;
    a.flops = flops_of(unit);
    a.label = label_of(unit, stage);
    const starpu_vector_interface chunk = interface_of_vector(factors.chunk);
    const ObjectInterface pivots = interface_of_object(*factors.pivots);
    std::vector<Operand> operands{{factors.handle.get(), &chunk, STARPU_R},
                                  {factors.pivots_handle.get(), &pivots, STARPU_R}};
    add_outside(unit, true, false, STARPU_RW, operands);
    if (stage == SolveStage::forward) add_outside(unit, false, true, STARPU_W, operands);
    if (stage == SolveStage::backward && unit.parent != nullptr) {
        const bool from_parent = is_here(*unit.parent);
        add_outside(from_parent ? *unit.parent : unit, from_parent, true, STARPU_R, operands);
    }
    run(execution, solve_subtree_codelet<T>(), a, operands, stage == SolveStage::forward ? 1 : 0);
}

template <class T>
void Substitution<T>::gather(Unit& unit, Execution execution) {
    GatherArguments a;
    a.own_segments = unit.outside_own();
    a.segments = static_cast<index_t>(unit.outside().size());
    a.links = &unit.children_links;
    a.label = label_of(unit, SolveStage::forward);
    std::vector<Operand> operands;
    add_outside(unit, true, false, STARPU_RW, operands);
    add_outside(unit, false, true, STARPU_W, operands);
    for (Unit* child : unit.children) add_outside(*child, false, true, STARPU_R, operands);
    run(execution, gather_children_codelet<T>(), a, operands, 2);
}

template <class T>
void Substitution<T>::scatter(Unit& unit, Execution execution) {
    ScatterArguments a;
    a.link = &unit.link;
    a.label = label_of(unit, SolveStage::backward);
    std::vector<Operand> operands;
    add_outside(unit, false, true, STARPU_W, operands);
    add_outside(*unit.parent, true, true, STARPU_R, operands);
    run(execution, scatter_to_child_codelet<T>(), a, operands, 2);
}

#define FROND_INSTANTIATE(T) template class Substitution<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
