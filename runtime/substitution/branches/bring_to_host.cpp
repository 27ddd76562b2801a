// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/branches/bring_to_host.hpp"

#include <optional>
#include <utility>

#include "factors/factors_state.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "substitution/device_solve.hpp"

namespace frond::detail {
namespace {

template <class T>
void take_units_of_branches(const TreeFactors<T>& factors) {
    TreeFactors<T>& from = factors.ownership.branches->factors;
    const std::vector<index_t>& front = factors.ownership.share->branches().front;
    const Mapping& mapping = factors.analysis->mapping;
    const std::vector<Subtree>& subtrees = from.analysis->mapping.subtrees;
    for (std::size_t s = 0; s < subtrees.size(); ++s)
        factors.subtrees()[at(mapping.subtree_of_front[at(front[at(subtrees[s].root_front)])])] =
            std::move(from.subtrees()[s]);
    for (std::size_t k = 0; k < front.size(); ++k)
        if (const index_t grid = from.analysis->mapping.grid_of_front[k]; grid >= 0)
            factors.tiled()[at(mapping.grid_of_front[at(front[k])])] = std::move(from.tiled()[at(grid)]);
    from.subtrees().clear();
    from.tiled().clear();
}

template <class T>
void fetch(const TiledFront<T>& front) {
    for (index_t j = 0; j < front.tiles(); ++j)
        for (index_t i = 0; i < front.tiles(); ++i)
            if (front.is_here(i, j) && front.is_own(i, j)) const HostAccess access(front.handle(i, j));
    for (index_t k = 0; k < front.own_tiles() && has_pivot_records(front.kind()); ++k)
        if (front.is_here(k, k)) const HostAccess access(front.record_handle(k));
}

}  // namespace

template <class T>
bool bring_branches_to_host(const TreeFactors<T>& factors) {
    if (factors.ownership.branches == nullptr || factors.ownership.has_units_of_branches) return true;
    if (!factors.ownership.branches->device_solve().leave_device()) return false;
    take_units_of_branches(factors);
    factors.ownership.has_units_of_branches = true;
    return true;
}

template <class T>
void bring_tiles_to_host(const TreeFactors<T>& factors, const std::vector<std::uint8_t>& fronts_on_device) {
    const auto& fronts = factors.tiled();
    factors.tiles_on_host.resize(fronts.size(), 0);
    std::optional<AwakeWorkers> awake;
    for (std::size_t g = 0; g < fronts.size(); ++g) {
        const bool is_on_device = !fronts_on_device.empty() && fronts_on_device[g] != 0;
        if (fronts[g] == nullptr || is_on_device || factors.tiles_on_host[g] != 0) continue;
        if (!awake) awake.emplace(*factors.session);
        fetch(*fronts[g]);
        factors.tiles_on_host[g] = 1;
    }
}

#define FROND_INSTANTIATE(T)                                        \
    template bool bring_branches_to_host<T>(const TreeFactors<T>&); \
    template void bring_tiles_to_host<T>(const TreeFactors<T>&, const std::vector<std::uint8_t>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
