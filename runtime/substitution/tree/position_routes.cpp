// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/position_routes.hpp"

#include <algorithm>

#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

index_t unit_with_front(const std::vector<PlannedUnit>& units, index_t front) {
    const auto unit = std::lower_bound(units.begin(), units.end(), front,
                                       [](const PlannedUnit& u, index_t f) { return u.front < f; });
    FROND_EXPECTS(unit != units.end() && unit->front == front && unit->subtree < 0,
                  "front " + std::to_string(front) + " has a second pass, but is no unit on tiles");
    return static_cast<index_t>(unit - units.begin());
}

}  // namespace

index_t unit_of_position(const std::vector<PlannedUnit>& units, index_t position) {
    const auto unit = std::upper_bound(units.begin(), units.end(), position,
                                       [](index_t s, const PlannedUnit& u) { return s < u.end_column; });
    return static_cast<index_t>(unit - units.begin());
}

PositionRoutes position_routes(const std::vector<PlannedUnit>& units, const TreeShare& share,
                               const std::vector<SecondPassPositions>& named) {
    const auto in_postorder = [](const SecondPassPositions& a, const SecondPassPositions& b) {
        return a.front < b.front;
    };
    FROND_EXPECTS(std::is_sorted(named.begin(), named.end(), in_postorder),
                  "second passes of all ranks must be sorted by their fronts");
    PositionRoutes all;
    const auto owner = [&](index_t position) {
        return share.owner(units[at(unit_of_position(units, position))].front);
    };
    for (const SecondPassPositions& list : named) {
        const index_t destination = share.owner(list.front);
        std::map<index_t, std::vector<index_t>> from;
        for (const index_t s : list.positions) {
            const auto moved = all.moved.find(s);
            const index_t owner_of_s = owner(s), source = moved == all.moved.end() ? owner_of_s : moved->second;
            if (source == destination) continue;
            from[source].push_back(s);
            if (owner_of_s == destination)
                all.moved.erase(s);
            else
                all.moved[s] = destination;
        }
        for (auto& [source, positions] : from)
            all.routes.push_back({unit_with_front(units, list.front), source, destination, std::move(positions)});
    }
    return all;
}

}  // namespace frond::detail
