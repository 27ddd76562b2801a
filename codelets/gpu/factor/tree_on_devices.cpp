// SPDX-License-Identifier: BSD-3-Clause
#include "factor/tree_on_devices.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "factor/failed_pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "worker/count_eliminated.hpp"

namespace frond::gpu {

template <class T>
TreeOnDevices<T>::TreeOnDevices(const std::vector<Device>& devices, std::shared_ptr<const Analysis> analysis,
                                const TreePlan<T>& plan)
    : devices_(devices), analysis_(std::move(analysis)), plan_(plan) {
    devices_.resize(at(plan_.tree.devices()));
    trees_.resize(devices_.size());
}

template <class T>
void TreeOnDevices<T>::drop_trees() noexcept {
    for (auto& tree : trees_) try {
            if (tree == nullptr) continue;
            const CurrentDevice current(tree->place().device);
            tree.reset();
        } catch (const DeviceError&) {  // the device is lost, and all on it
        }
}

template <class T>
void TreeOnDevices<T>::be_ready() {
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        const CurrentDevice current(devices_[d].device);
        tree_on(static_cast<index_t>(d));
    }
}

template <class T>
DeviceTree<T>& TreeOnDevices<T>::tree_on(index_t device) {
    std::unique_ptr<DeviceTree<T>>& tree = trees_[at(device)];
    if (tree == nullptr) tree = std::make_unique<DeviceTree<T>>(devices_[at(device)], plan_, device);
    return *tree;
}

template <class T>
bool TreeOnDevices<T>::has_failed() const {
    return std::any_of(trees_.begin(), trees_.end(), [](const auto& tree) { return tree->has_failed(); });
}

template <class T>
const unsigned char* TreeOnDevices<T>::copy_of_block(index_t front) const {
    for (const auto& tree : trees_)
        if (const unsigned char* const block = tree->block_copies().of(front); block != nullptr) return block;
    return nullptr;
}

template <class T>
double TreeOnDevices<T>::largest_entry() const {
    const auto ran = std::find_if(trees_.begin(), trees_.end(), [](const auto& tree) { return tree->has_run(); });
    return ran == trees_.end() ? 0 : (*ran)->largest_entry();
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
    for (const SubtreePlan::SharedFront& shared : plan_.tree.shared()) {
        const count_t first = analysis_->tree.fronts[at(shared.front)].first_column;
        for (index_t b = 0; b < shared.tail; ++b)
            if (const index_t device = plan_.tree.device_of_block(b); device > 0)
                visit(at(device), first + shared.cut[at(b)], first + shared.cut[at(b) + 1]);
    }
}

template <class T>
void TreeOnDevices<T>::put_pivots(index_t piece, const cpu::PiecePivots<T>& pivots) {
    const DeviceTree<T>& tree = *trees_[at(std::max<index_t>(device_of(piece), 0))];
    std::copy(pivots.pivots.begin(), pivots.pivots.end(), tree.host_pivots() + pivots_each() * pivots.first_column);
    if (plan_.perm_size() > 0)
        std::copy(pivots.perm.begin(), pivots.perm.end(), tree.host_perm() + pivots.first_column);
    tree.answers()[at(piece)].largest_bits = bits_of_double(pivots.report.largest_l);
}

/// The first device has the pivots of all, once they are collected.
template <class T>
cpu::PiecePivots<T> TreeOnDevices<T>::pivots_of(index_t piece) const {
    const SubtreePlan::Range& range = plan_.tree.ranges()[at(piece)];
    const Front& last = analysis_->tree.fronts[at(range.last_front)];
    const count_t begin = analysis_->tree.fronts[at(range.first_front)].first_column,
                  end = last.first_column + last.npiv;
    const DeviceTree<T>& first = *trees_.front();
    const EliminateAnswer& answer = trees_[at(range.device)]->answers()[at(piece)];
    cpu::PiecePivots<T> pivots;
    pivots.first_column = static_cast<index_t>(begin);
    pivots.pivots.assign(first.host_pivots() + pivots_each() * begin, first.host_pivots() + pivots_each() * end);
    if (plan_.perm_size() > 0) pivots.perm.assign(first.host_perm() + begin, first.host_perm() + end);
    pivots.report.largest_l = answer.largest();
    pivots.are_good = answer.failed == 0;
    return pivots;
}

template <class T>
void TreeOnDevices<T>::collect() {
    const DeviceTree<T>& first = *trees_.front();
    on_columns_of_others([&](std::size_t device, count_t begin, count_t end) {
        const DeviceTree<T>& from = *trees_[device];
        std::copy(from.host_pivots() + pivots_each() * begin, from.host_pivots() + pivots_each() * end,
                  first.host_pivots() + pivots_each() * begin);
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
PivotReport TreeOnDevices<T>::report(bool with_largest_l, const ParallelFor& parallel_for) const {
    PivotReport counted =
        count_eliminated(analysis_->factorization, analysis_->order, trees_.front()->host_pivots(), parallel_for);
    if (!with_largest_l) return counted;
    for (const auto& tree : trees_)
        for (const EliminateAnswer& answer : tree->answers())
            counted.largest_l = std::max(counted.largest_l, answer.largest());
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
