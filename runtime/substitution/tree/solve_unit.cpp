// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/solve_unit.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

template <class T>
void add_segments(SolveUnit<T>& unit, bool one_by_one) {
    if (!one_by_one) {
        unit.whole.emplace_back(unit.own);
        if (unit.y.rows > 0) unit.whole.emplace_back(unit.y);
    }
    if (unit.grid == nullptr) return;
    const TileGrid& grid = *unit.grid;
    unit.tiles.reserve(at(grid.tiles()));
    for (index_t t = 0; t < grid.tiles(); ++t) {
        const bool is_own = t < grid.own_tiles;
        const index_t first = grid.cut[at(t)] - (is_own ? 0 : unit.own.rows);
        unit.tiles.emplace_back((is_own ? unit.own : unit.y).block(first, 0, grid.size(t), unit.own.cols));
    }
}

/// Parents have the higher numbers: their segments are there.
template <class T>
void link_to_parent(const AssemblyTree& tree, SolveUnit<T>& unit, SolveUnit<T>& parent) {
    const Front& front = tree.fronts[at(unit.planned->front)];
    unit.parent = &parent;
    unit.link.relative_rows = tree.relative_rows.data() + front.rows_begin;
    unit.link.ncb = front.ncb();
    const std::vector<index_t> cut = unit.outside_cut();
    for (auto t = at(unit.outside_own()); t < cut.size(); ++t) unit.link.child_cut.push_back(cut[t] - front.npiv);
    if (unit.grid == nullptr) unit.link.child_cut = {0, front.ncb()};
    unit.link.parent_cut = parent.outside_cut();
    parent.children.push_back(&unit);
    parent.children_links.push_back(unit.link);
}

/// A shared front that another rank leads, and of which this one has tiles.
bool is_led_elsewhere(const TreeShare* share, index_t front) {
    return share != nullptr && share->has_shared_tiles(front) && share->has_part(front) && !share->owns(front);
}

index_t columns_of(const PlannedUnit& planned) { return planned.end_column - planned.first_column; }

}  // namespace

template <class T>
std::vector<SolveUnit<T>> make_solve_units(const TreeFactors<T>& factors, const SubstitutionPlan& plan, DenseView<T> x,
                                           HostBlock& memory) {
    const Analysis& analysis = *factors.analysis;
    count_t rows = 0;
    for (const PlannedUnit& planned : plan.units) {
        rows += analysis.tree.fronts[at(planned.front)].ncb();
        if (is_led_elsewhere(factors.ownership.share.get(), planned.front)) rows += columns_of(planned);
    }
    memory = HostBlock(rows * x.cols * static_cast<count_t>(sizeof(T)));
    T* next = static_cast<T*>(memory.data());
    const auto take = [&](index_t count) {
        const DenseView<T> taken{next, count, x.cols, std::max<index_t>(count, 1)};
        next += static_cast<count_t>(count) * x.cols;
        return taken;
    };
    std::vector<SolveUnit<T>> units(plan.units.size());
    for (std::size_t u = 0; u < units.size(); ++u) {
        SolveUnit<T>& unit = units[u];
        const PlannedUnit& planned = plan.units[u];
        const index_t ncb = analysis.tree.fronts[at(planned.front)].ncb();
        unit.planned = &planned;
        if (planned.subtree < 0) {
            const std::size_t grid = at(analysis.mapping.grid_of_front[at(planned.front)]);
            unit.grid = &analysis.mapping.grids[grid];
            unit.tiled = factors.tiled()[grid].get();
        }
        unit.own = x.block(planned.first_column, 0, columns_of(planned), x.cols);
        unit.y = take(ncb);
        if (is_led_elsewhere(factors.ownership.share.get(), planned.front)) {
            unit.beside.emplace_back(unit.own);
            unit.own = take(columns_of(planned));
        }
        const bool apart =
            plan.way == SubstitutionWay::units || (plan.way == SubstitutionWay::groups && planned.group < 0);
        add_segments(unit, apart && unit.grid != nullptr);
    }
    for (SolveUnit<T>& unit : units)
        if (unit.planned->parent >= 0) link_to_parent(analysis.tree, unit, units[at(unit.planned->parent)]);
    return units;
}

#define FROND_INSTANTIATE(T)                                                                               \
    template std::vector<SolveUnit<T>> make_solve_units<T>(const TreeFactors<T>&, const SubstitutionPlan&, \
                                                           DenseView<T>, HostBlock&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
