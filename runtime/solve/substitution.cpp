// SPDX-License-Identifier: BSD-3-Clause
#include "solve/substitution.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/cpu/subtree.hpp"
#include "submit/insert_task.hpp"

namespace frond::detail {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

}  // namespace

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
Substitution<T>::Substitution(const FactorsState<T>& state, Operation operation, DenseView<T> x, Job& job,
                              WorkspacePool& workspaces)
    : state_(state),
      operation_(operation),
      rhs_(x.cols),
      x_(x),
      job_(job),
      workspaces_(workspaces),
      unit_of_front_(state.analysis->tree.fronts.size(), nullptr) {
    make_units(x);
    link_to_parents();
}

template <class T>
void Substitution<T>::make_units(DenseView<T> x) {
    const Analysis& analysis = *state_.analysis;
    count_t rows = 0;
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) {
        const index_t s = analysis.mapping.subtree_of_front[at(f)];
        if (s >= 0 && analysis.mapping.subtrees[at(s)].root_front != f) continue;
        Unit& unit = units_.emplace_back();
        unit.front = f;
        unit.subtree = s;
        if (s < 0) unit.tiled = state_.tiled[at(analysis.mapping.grid_of_front[at(f)])].get();
        unit_of_front_[at(f)] = &unit;
        rows += analysis.tree.fronts[at(f)].ncb();
    }
    contributions_ = HostBlock(rows * rhs_ * static_cast<count_t>(sizeof(T)));
    T* next = static_cast<T*>(contributions_.data());
    for (Unit& unit : units_) register_segments(unit, x, next);
}

template <class T>
void Substitution<T>::register_segments(Unit& unit, DenseView<T> x, T*& contribution) {
    const AssemblyTree& tree = state_.analysis->tree;
    const Front& front = tree.fronts[at(unit.front)];
    const auto add = [this](std::vector<DataHandle>& to, DenseView<T> block, index_t first, index_t rows) {
        to.push_back(DataHandle::matrix(block.block(first, 0, rows, rhs_)));
    };
    const DenseView<T> y{contribution, front.ncb(), rhs_, std::max<index_t>(front.ncb(), 1)};
    contribution += static_cast<count_t>(front.ncb()) * rhs_;
    unit.y = y;
    if (unit.tiled == nullptr) {
        const Subtree& s = state_.analysis->mapping.subtrees[at(unit.subtree)];
        const index_t first = tree.fronts[at(s.first_front)].first_column;
        add(unit.own, x, first, front.first_column + front.npiv - first);
        if (front.ncb() > 0) add(unit.contribution, y, 0, front.ncb());
        unit.link.child_cut = {0, front.ncb()};
        return;
    }
    const TileGrid& grid = unit.tiled->grid();
    for (index_t t = 0; t < grid.own_tiles; ++t)
        add(unit.own, x, front.first_column + grid.cut[at(t)], grid.size(t));
    for (index_t t = grid.own_tiles; t < grid.tiles(); ++t)
        add(unit.contribution, y, grid.cut[at(t)] - front.npiv, grid.size(t));
    for (index_t t = grid.own_tiles; t <= grid.tiles(); ++t)
        unit.link.child_cut.push_back(grid.cut[at(t)] - front.npiv);
}

template <class T>
void Substitution<T>::link_to_parents() {
    const AssemblyTree& tree = state_.analysis->tree;
    for (Unit& unit : units_) {
        const Front& front = tree.fronts[at(unit.front)];
        if (front.ncb() == 0) continue;
        unit.parent = unit_of_front_[at(front.parent)];
        unit.link.relative_rows = tree.relative_rows.data() + front.rows_begin;
        unit.link.ncb = front.ncb();
        unit.link.parent_cut = unit.parent->tiled->grid().cut;
        unit.parent->children.push_back(&unit);
        unit.parent->children_links.push_back(unit.link);
    }
}

template <class T>
starpu_data_handle_t Substitution<T>::segment(const Unit& unit, index_t t) const {
    const auto own = static_cast<index_t>(unit.own.size());
    return t < own ? unit.own[at(t)].get() : unit.contribution[at(t - own)].get();
}

template <class T>
void Substitution<T>::submit_forward() {
    for (Unit& unit : units_) {
        if (unit.tiled == nullptr) {
            solve_subtree(unit, SolveStage::forward);
        } else {
            gather(unit);
            forward_tiles(unit);
            leftover(unit, SolveStage::forward);
        }
    }
}

template <class T>
void Substitution<T>::submit_diagonal() {
    if (!has_block_diagonal(state_.kind())) return;
    for (Unit& unit : units_) {
        if (unit.tiled == nullptr) {
            solve_subtree(unit, SolveStage::diagonal);
            continue;
        }
        for (index_t k = 0; k < unit.tiled->own_tiles(); ++k) diagonal_tile(unit, k, SolveStage::diagonal);
        leftover(unit, SolveStage::diagonal);
    }
}

template <class T>
void Substitution<T>::submit_backward() {
    for (auto unit = units_.rbegin(); unit != units_.rend(); ++unit) {
        if (unit->tiled == nullptr) {
            solve_subtree(*unit, SolveStage::backward);
        } else {
            if (unit->parent != nullptr) scatter(*unit);
            leftover(*unit, SolveStage::backward);
            backward_tiles(*unit);
        }
    }
}

template <class T>
void Substitution<T>::solve_subtree(Unit& unit, SolveStage stage) {
    const Analysis& analysis = *state_.analysis;
    const SubtreeFactors<T>& factors = state_.subtrees[at(unit.subtree)];
    SubtreeSolveArguments a;
    a.stage = stage;
    a.operation = operation_;
    a.analysis = &analysis;
    a.subtree = &analysis.mapping.subtrees[at(unit.subtree)];
    a.perm = factors.perm.data();
    a.leftovers = &factors.leftovers;
    a.link = &unit.link;
    a.workspaces = &workspaces_;
    std::vector<Access> accesses{{factors.handle.get(), STARPU_R}, {unit.own[0].get(), STARPU_RW}};
    if (stage == SolveStage::forward && !unit.contribution.empty())
        accesses.push_back({unit.contribution[0].get(), STARPU_W});
    if (stage == SolveStage::backward && unit.parent != nullptr)
        for (index_t t = 0; t < unit.parent->tiled->tiles(); ++t)
            accesses.push_back({segment(*unit.parent, t), STARPU_R});
    insert_task(job_, subtree_solve_codelet<T>(), a, accesses, stage == SolveStage::forward ? 1 : 0);
}

template <class T>
void Substitution<T>::gather(Unit& unit) {
    GatherArguments a;
    a.own_segments = unit.tiled->own_tiles();
    a.segments = unit.tiled->tiles();
    a.links = &unit.children_links;
    std::vector<Access> accesses;
    for (index_t t = 0; t < a.segments; ++t)
        accesses.push_back({segment(unit, t), t < a.own_segments ? STARPU_RW : STARPU_W});
    for (const Unit* child : unit.children)
        for (const DataHandle& h : child->contribution) accesses.push_back({h.get(), STARPU_R});
    insert_task(job_, gather_children_codelet<T>(), a, accesses, 2);
}

template <class T>
void Substitution<T>::scatter(Unit& unit) {
    ScatterArguments a;
    a.link = &unit.link;
    std::vector<Access> accesses;
    for (const DataHandle& h : unit.contribution) accesses.push_back({h.get(), STARPU_W});
    for (index_t t = 0; t < unit.parent->tiled->tiles(); ++t)
        accesses.push_back({segment(*unit.parent, t), STARPU_R});
    insert_task(job_, scatter_to_child_codelet<T>(), a, accesses, 2);
}

#define FROND_INSTANTIATE(T) template class Substitution<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
