// SPDX-License-Identifier: BSD-3-Clause
#include "factor/tree_on_devices.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "factor/failed_pivots.hpp"
#include "factor/tree_launches.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/rates.hpp"
#include "worker/count_eliminated.hpp"

namespace frond::gpu {
namespace {

template <class T>
TreeShares shares(const Analysis& analysis, std::size_t devices) {
    const Rates& r = rates();
    ShareCosts costs;
    costs.flops_per_second = r.device_tree_flops * relative_speed<T> / (is_complex<T> ? 4 : 1);
    costs.front_seconds = launches_of_level * r.launch_seconds;
    costs.pivot_seconds = launches_of_step * r.launch_seconds / step_columns;
    costs.moved_bytes_per_second = r.device_to_device_bytes;
    costs.scalar_bytes = sizeof(T);
    if (sharing_is_forced()) costs = {1, 0, 0, 1e300, sizeof(T)};
    return share_tree(analysis.tree, analysis.cost.front_flops, static_cast<index_t>(devices), costs);
}

/// What goes to the device is pinned: several times as quick as rates() say of the link. A front is written and read
/// again on the device; a piece is submitted, brought to the device and held, some ten microseconds each.
template <class T>
CorePieces core_pieces(const Analysis& analysis, index_t cores) {
    constexpr double pinned_speed = 5, passes = 2, piece_seconds = 4e-5;
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
    machine.link_bytes_per_second = pinned_speed * r.link_bytes;
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
TreePlan<T> plan(const Analysis& analysis, std::size_t devices, count_t most_bytes, PivotSearch search, index_t cores) {
    const TreeShares among_devices = shares<T>(analysis, devices);
    const auto is_first = [](const SharedPart& part) { return part.device == 0; };
    if (cores > 0 && std::all_of(among_devices.parts.begin(), among_devices.parts.end(), is_first)) {
        const CorePieces pieces = core_pieces<T>(analysis, cores);
        if (!pieces.subtrees.empty()) return {analysis, pieces, search};
    }
    return {analysis, among_devices, most_bytes - bytes_of_values<T>(analysis), search};
}

}  // namespace

template <class T>
TreeOnDevices<T>::TreeOnDevices(const std::vector<Device>& devices, std::shared_ptr<const Analysis> analysis,
                                count_t most_bytes, PivotSearch search, index_t cores)
    : devices_(devices),
      analysis_(std::move(analysis)),
      plan_(gpu::plan<T>(*analysis_, devices.size(), most_bytes, search, cores)) {
    devices_.resize(at(plan_.tree.devices()));
}

template <class T>
void TreeOnDevices<T>::drop_trees() noexcept {
    for (auto& tree : trees_) try {
            const CurrentDevice current(tree->place().device);
            tree.reset();
        } catch (const DeviceError&) {  // the device is lost, and all on it
        }
    trees_.clear();
}

template <class T>
void TreeOnDevices<T>::be_ready() {
    if (!trees_.empty()) return;
    host_values_ = std::make_unique<PinnedMemory<T>>(analysis_->entries);
    try {
        for (std::size_t d = 0; d < devices_.size(); ++d) add_tree(d);
    } catch (...) {
        drop_trees();
        throw;
    }
}

template <class T>
void TreeOnDevices<T>::add_tree(std::size_t number) {
    const CurrentDevice current(devices_[number].device);
    trees_.push_back(std::make_unique<DeviceTree<T>>(devices_[number], plan_, static_cast<index_t>(number)));
}

template <class T>
bool TreeOnDevices<T>::has_failed() const {
    return std::any_of(trees_.begin(), trees_.end(), [](const auto& tree) { return tree->answer().failed != 0; });
}

template <class T>
template <class Visit>
void TreeOnDevices<T>::on_columns_of_others(Visit visit) const {
    for (const SubtreePlan::Range& range : plan_.tree.ranges()) {
        if (range.device <= 0) continue;
        const Front& last = analysis_->tree.fronts[at(range.last_front)];
        visit(at(range.device), analysis_->tree.fronts[at(range.first_front)].first_column,
              last.first_column + last.npiv);
    }
}

template <class T>
void TreeOnDevices<T>::put_pivots(index_t first_column, const std::vector<T>& pivots,
                                  const std::vector<index_t>& perm) {
    const DeviceTree<T>& first = *trees_.front();
    const count_t pivots_each = plan_.pivot_scalars() / std::max<index_t>(analysis_->order, 1);
    std::copy(pivots.begin(), pivots.end(), first.host_pivots() + pivots_each * first_column);
    if (plan_.perm_size() > 0) std::copy(perm.begin(), perm.end(), first.host_perm() + first_column);
}

template <class T>
void TreeOnDevices<T>::collect() {
    const count_t pivots_each = plan_.pivot_scalars() / std::max<index_t>(analysis_->order, 1);
    const DeviceTree<T>& first = *trees_.front();
    on_columns_of_others([&](std::size_t device, count_t begin, count_t end) {
        const DeviceTree<T>& from = *trees_[device];
        std::copy(from.host_pivots() + pivots_each * begin, from.host_pivots() + pivots_each * end,
                  first.host_pivots() + pivots_each * begin);
        if (plan_.perm_size() > 0)
            std::copy(from.host_perm() + begin, from.host_perm() + end, first.host_perm() + begin);
    });
}

template <class T>
std::vector<FailedPivot> TreeOnDevices<T>::failed_pivots() {
    std::vector<std::vector<PivotMark>> of_trees;
    for (const auto& tree : trees_) {
        const CurrentDevice current(tree->place().device);
        of_trees.push_back(tree->marks());
    }
    if (plan_.perm_size() > 0)
        on_columns_of_others([&](std::size_t device, count_t begin, count_t end) {
            std::copy(of_trees[device].begin() + begin, of_trees[device].begin() + end,
                      of_trees.front().begin() + begin);
        });
    return gpu::failed_pivots(*analysis_, std::move(of_trees.front()), perm(), trees_.front()->host_pivots());
}

template <class T>
PivotReport TreeOnDevices<T>::report(bool with_largest_l) const {
    PivotReport counted = count_eliminated(analysis_->factorization, analysis_->order, trees_.front()->host_pivots());
    if (!with_largest_l) return counted;
    for (const auto& tree : trees_) counted.largest_l = std::max(counted.largest_l, tree->answer().largest());
    return counted;
}

template <class T>
std::vector<double> TreeOnDevices<T>::front_seconds() const {
    std::vector<double> levels(plan_.tree.levels().size(), 0.0);
    for (const auto& tree : trees_)
        std::transform(tree->level_seconds().begin(), tree->level_seconds().end(), levels.begin(), levels.begin(),
                       std::plus<>());
    return share_among_fronts(*analysis_, plan_.tree, levels);
}

#define FROND_INSTANTIATE(T) template class TreeOnDevices<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
