// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution that belongs to units on other ranks. In the forward sweep contribution vectors go up to the
// ranks of the parents, and columns that were set back to the ranks that eliminate them. In the backward sweep all of them
// come back the same way.
#include <algorithm>
#include <numeric>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "substitution/tree/substitution_run.hpp"

namespace frond::detail {

template <class T>
Substitution<T>::Substitution(const TreeFactors<T>& factors, const SubstitutionPlan& plan, Operation operation,
                              DenseView<T> x, Job& job, WorkspacePool& workspaces, const SharedBlock& block,
                              const DeviceShare<T>& devices)
    : Substitution(factors, plan, operation, x, job, workspaces) {
    branches_ = devices.branches;
    place_tasks(devices.fronts);
    FROND_EXPECTS(share_ != nullptr && plan.way != SubstitutionWay::alone,
                  "factors on several ranks are solved with by tasks, others without messages");
    register_used(units_used_here(*block.routes));
    make_exchanges(block);
    make_shared_fronts(block);
}

/// Tasks of groups read tiles in the host's memory.
template <class T>
void Substitution<T>::place_tasks(const std::vector<std::uint8_t>& fronts_on_devices) {
    if (fronts_on_devices.empty()) return;
    for (Unit& unit : units_) {
        if (unit.tiled == nullptr || unit.planned->group >= 0) continue;
        const index_t grid = factors_.analysis->mapping.grid_of_front[at(unit.planned->front)];
        if (fronts_on_devices[at(grid)] != 0) unit.place = Place::device;
    }
}

/// A rank that does not lead a shared front has none of it in x.
template <class T>
void Substitution<T>::bring_to_host() const {
    for (const Unit& unit : units_) {
        if (unit.place != Place::device || !is_here(unit)) continue;
        for (index_t t = 0; t < unit.grid->own_tiles; ++t) const HostAccess access(unit.tiles[at(t)].handle.get());
    }
}

/// Registers all columns of a group together, and what its root has for others.
template <class T>
void Substitution<T>::register_used(const std::vector<char>& used) {
    columns_.resize(plan_.groups.size());
    for (std::size_t u = 0; u < units_.size(); ++u) {
        if (used[u] == 0) continue;
        const index_t g = units_[u].planned->group;
        if (is_in_branch(units_[u])) {  // other units see what its root has for them alone
            std::vector<Segment<T>>& segments = units_[u].outside();
            for (auto s = at(units_[u].outside_own()); s < segments.size(); ++s) segments[s].register_data();
            continue;
        }
        if (g < 0) {
            for (auto* segments : {&units_[u].outside(), &units_[u].beside})
                for (Segment<T>& segment : *segments) segment.register_data();
            continue;
        }
        if (!columns_[at(g)]) columns_[at(g)] = columns_of(plan_.groups[at(g)]);
        const bool is_root = plan_.groups[at(g)].root == static_cast<index_t>(u);
        if (is_root && units_[u].y.rows > 0) units_[u].whole[1].register_data();
    }
}

/// The units that this rank uses: own ones, those shared with others, children of own ones, those of which a second pass
/// brings columns here, and the roots of branches on a device.
template <class T>
std::vector<char> Substitution<T>::units_used_here(const PositionRoutes& routes) const {
    std::vector<char> used(units_.size(), 0);
    for (std::size_t u = 0; u < units_.size(); ++u) {
        const Unit& unit = units_[u];
        const bool is_seen = share_->has_part(unit.planned->front) || (unit.parent != nullptr && is_here(*unit.parent));
        used[u] = is_seen && (!is_in_branch(unit) || is_root_of_branch(unit)) ? 1 : 0;
    }
    for (const PositionRoute& route : routes.routes)
        if (route.source == share_->rank() || route.destination == share_->rank())
            for (const index_t s : route.positions) used[at(unit_of_position(plan_.units, s))] = 1;
    return used;
}

template <class T>
void Substitution<T>::make_exchanges(const SharedBlock& block) {
    for (const PositionRoute& route : block.routes->routes) {
        if (route.source != share_->rank() && route.destination != share_->rank()) continue;
        RowExchange<T>& exchange =
            positions_of_
                .emplace(std::piecewise_construct, std::forward_as_tuple(route.unit),
                         std::forward_as_tuple(*share_, block, SolveMessageKind::second_pass_rows,
                                               plan_.units[at(route.unit)].front, route.source, route.destination))
                ->second;
        std::vector<DataRef> segments = handles_of_positions(route.positions);
        std::vector<SegmentRow> rows = rows_in(segments, route.positions);
        exchange.add_rows(std::move(segments), std::move(rows), x_.cols);
        exchange.check();
    }
    for (std::size_t u = 0; u < units_.size(); ++u) {
        Unit& unit = units_[u];
        if (unit.parent == nullptr || is_here(unit) == is_here(*unit.parent)) continue;
        const index_t front = unit.planned->front;
        RowExchange<T>& exchange =
            contributions_of_
                .emplace(std::piecewise_construct, std::forward_as_tuple(static_cast<index_t>(u)),
                         std::forward_as_tuple(*share_, block, SolveMessageKind::contribution_rows, front,
                                               share_->owner(front), share_->owner(unit.parent->planned->front)))
                .first->second;
        const std::vector<Segment<T>>& segments = unit.outside();
        for (auto s = at(unit.outside_own()); s < segments.size(); ++s) exchange.add_segment(segments[s]);
        exchange.check();
    }
    link_subtrees_to_themselves();
}

/// The backward sweep of a subtree whose parent is on another rank finds the solution in its own contribution vector.
template <class T>
void Substitution<T>::link_subtrees_to_themselves() {
    index_t longest = 0;
    for (const Unit& unit : units_) longest = std::max(longest, unit.y.rows);
    identity_.resize(at(longest));
    std::iota(identity_.begin(), identity_.end(), 0);
    for (Unit& unit : units_) {
        if (unit.grid != nullptr || unit.parent == nullptr || !is_here(unit) || is_here(*unit.parent)) continue;
        unit.link.relative_rows = identity_.data();
        unit.link.parent_cut = {0, unit.y.rows};
    }
}

template <class T>
void Substitution<T>::exchange_positions(index_t unit, SolveStage stage) {
    const auto [begin, end] = positions_of_.equal_range(unit);
    for (auto exchange = begin; exchange != end; ++exchange)
        exchange->second.post(stage, label_of(units_[at(unit)], stage), job_);
}

template <class T>
void Substitution<T>::exchange_contribution(index_t unit, SolveStage stage) {
    const auto exchange = contributions_of_.find(unit);
    if (exchange != contributions_of_.end()) exchange->second.post(stage, label_of(units_[at(unit)], stage), job_);
}

/// Two ranks post the messages between them at the same point of the order in which all ranks go through the units.
template <class T>
void Substitution<T>::run_on_ranks(index_t u, SolveStage stage) {
    Unit& unit = units_[at(u)];
    if (stage == SolveStage::forward) exchange_positions(u, stage);
    if (stage == SolveStage::backward) {
        if ((!is_here(unit) || is_root_of_branch(unit)) && unit.parent != nullptr && is_here(*unit.parent))
            submit_tasks([&] { scatter(unit, Execution::as_tasks); });
        exchange_contribution(u, stage);
    }
    if (shared_fronts_.count(u) > 0)
        run_shared(u, stage);
    else if (is_here(unit) && !is_in_branch(unit))
        submit_tasks([&] { submit_unit(u, stage); });
    if (stage == SolveStage::forward) exchange_contribution(u, stage);
    if (stage == SolveStage::backward) exchange_positions(u, stage);
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template Substitution<T>::Substitution(const TreeFactors<T>&, const SubstitutionPlan&, Operation, DenseView<T>, \
                                           Job&, WorkspacePool&, const SharedBlock&, const DeviceShare<T>&);        \
    template void Substitution<T>::bring_to_host() const;                                                           \
    template void Substitution<T>::run_on_ranks(index_t, SolveStage);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
