// SPDX-License-Identifier: BSD-3-Clause
#include "factor/plan_on_devices.hpp"

#include <algorithm>
#include <limits>

#include "factor/cut/cut_tree.hpp"
#include "factor/shared_front/column_cuts.hpp"
#include "factor/tree_launches.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/rates.hpp"

namespace frond::gpu {
namespace {

/// Numbers about fronts that all devices do together. A block of columns goes to the other devices, and two tasks
/// follow each other there.
constexpr index_t least_order_by_all = 6000;
constexpr double block_seconds = 1.3e-3, panel_flops = 4e12;

/// Fronts on tiles, but those that leave their block to others, and those in whose rows pivots are searched for.
std::vector<char> may_be_by_all(const Analysis& analysis, const std::vector<char>& searched) {
    if (sharing_is_forced() && !sharing_of_fronts_is_forced()) return {};
    std::vector<char> may;
    for (std::size_t f = 0; f < analysis.tree.fronts.size(); ++f) {
        const Front& front = analysis.tree.fronts[f];
        const bool leaves_block = front.parent < 0 && front.ncb() > 0,
                   is_searched = !searched.empty() && searched[f] != 0;
        may.push_back(analysis.mapping.grid_of_front[f] >= 0 && !leaves_block && !is_searched ? 1 : 0);
    }
    return may;
}

template <class T>
TreeShares shares(const Analysis& analysis, std::size_t devices, const std::vector<char>& searched) {
    const Rates& r = rates();
    ShareCosts costs;
    costs.flops_per_second = r.device_front_flops * relative_speed<T> / (is_complex<T> ? 4 : 1);
    costs.bytes_per_second = r.device_piece_bytes;
    costs.front_seconds = r.piece_level_seconds + launches_of_level * r.piece_launch_seconds;
    costs.pivot_seconds = launches_of_step * r.piece_launch_seconds / step_columns;
    costs.moved_bytes_per_second = r.device_to_device_bytes;
    costs.scalar_bytes = sizeof(T);
    costs.least_order_by_all = least_order_by_all;
    costs.block_seconds = block_seconds;
    costs.tail_columns = most_tail_columns;
    costs.piece_seconds = r.piece_seconds;
    costs.panel_flops_per_second = panel_flops * relative_speed<T> / (is_complex<T> ? 4 : 1);
    if (sharing_is_forced()) costs = {1, 0, 0, 1e300, sizeof(T)};
    return share_tree(analysis.tree, analysis.cost.front_flops, static_cast<index_t>(devices), costs,
                      may_be_by_all(analysis, searched));
}

/// As shipped, not as measured here: a cut, and with it the bits of fronts by strips, depends on the analysis and the room
/// alone.
template <class T>
CutCosts cut_costs(const Analysis& analysis) {
    constexpr Rates shipped;
    CutCosts costs;
    costs.level_seconds = shipped.piece_level_seconds;
    costs.launch_seconds = shipped.piece_launch_seconds;
    costs.link_bytes_per_second = shipped.pinned_link_bytes;
    costs.device_read_bytes_per_second = shipped.device_read_bytes;
    costs.host_read_bytes_per_second = shipped.host_read_bytes;
    costs.scalar_bytes = sizeof(T);
    costs.operations_seconds =
        analysis.cost.flops * (is_complex<T> ? 4 : 1) / relative_speed<T> / shipped.device_tree_flops;
    if (small_pieces_are_forced()) costs.level_seconds = costs.launch_seconds = 0;
    return costs;
}

/// What goes to the device is pinned. A front is written and read again on the device; a piece is submitted, brought to
/// the device and held, some ten microseconds each.
template <class T>
CorePieces core_pieces(const Analysis& analysis, index_t cores) {
    constexpr double passes = 2, piece_seconds = 4e-5;
    const Rates& r = rates();
    const double speed = relative_speed<T> / (is_complex<T> ? 4 : 1);
    DeviceAndCores machine;
    machine.cores = cores;
    machine.core_flops_per_second = r.core_flops * speed;
    machine.core_bytes_per_second = r.core_moved_bytes;
    machine.device_flops_per_second = r.device_tree_flops * speed;
    machine.device_bytes_per_second = r.device_moved_bytes / passes;
    machine.level_seconds = launches_of_level * r.launch_seconds;
    machine.pivot_seconds = launches_of_step * r.launch_seconds / step_columns;
    machine.link_bytes_per_second = r.pinned_link_bytes;
    machine.piece_seconds = piece_seconds;
    machine.scalar_bytes = sizeof(T);
    if (const double forced = forced_speed_of_cores(); forced > 0) {
        machine.core_flops_per_second *= forced, machine.core_bytes_per_second *= forced;
        machine.link_bytes_per_second = std::numeric_limits<double>::max();
        machine.piece_seconds = 0, machine.worthwhile = 1;
    }
    return choose_core_pieces(analysis.tree, analysis.mapping, analysis.cost.front_flops, machine);
}

template <class T>
bool fits_on_devices(const TreePlan<T>& plan, count_t most_bytes) {
    for (index_t d = 0; d < plan.tree.devices(); ++d)
        if (plan.bytes(d) > most_bytes) return false;
    return true;
}

}  // namespace

template <class T>
TreePlan<T> plan_on_devices(const Analysis& analysis, std::size_t devices, const PlanRequest& request,
                            const ParallelFor& parallel_for) {
    const count_t most_of_plan = request.most_bytes - bytes_of_values<T>(analysis);
    const std::vector<char>& searched = request.searched;
    if (!request.before.pieces.empty()) {
        TreePlan<T> plan(analysis, most_of_plan, request.before, searched);
        if (fits_on_devices(plan, most_of_plan)) return plan;
    }
    const TreeShares among_devices = shares<T>(analysis, devices, searched);
    const auto is_first = [](const SharedPart& part) { return part.device == 0; };
    if (request.cores > 0 && std::all_of(among_devices.parts.begin(), among_devices.parts.end(), is_first)) {
        const CorePieces pieces = core_pieces<T>(analysis, request.cores);
        if (!pieces.subtrees.empty()) return {analysis, pieces, searched};
    }
    return {analysis, among_devices, most_of_plan, cut_costs<T>(analysis), searched, parallel_for};
}

#define FROND_INSTANTIATE(T) \
    template TreePlan<T> plan_on_devices<T>(const Analysis&, std::size_t, const PlanRequest&, const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
