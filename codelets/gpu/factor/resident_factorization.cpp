// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_factorization.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "factor/tree_launches.hpp"
#include "factor/tree_on_devices.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "plans/step_plan.hpp"

namespace frond::gpu {

template <class T>
struct ResidentFactorization<T>::State {
    State(const std::vector<Device>& devices, std::shared_ptr<const Analysis> analysis, count_t most_bytes,
          PivotSearch search, index_t cores)
        : tree(devices, std::move(analysis), most_bytes, search, cores) {
        for (const SavedRoom& room : tree.plan().saved.rooms())
            rooms.push_back({(room.scalars * static_cast<count_t>(sizeof(T)) + 255) / 256 * 256, room.on_host,
                             room.made, room.used});
        for (const SubtreePlan::Range& range : tree.plan().tree.ranges())
            pieces.push_back({range.first_front, range.last_front, range.device, {}, {}});
        for (const SavedBlock& block : tree.plan().saved.blocks()) {
            pieces[at(block.made)].writes.push_back(block.room);
            pieces[at(block.used)].reads.push_back(block.room);
        }
        for (TreePiece& piece : pieces) {
            std::sort(piece.reads.begin(), piece.reads.end());
            std::sort(piece.writes.begin(), piece.writes.end());
        }
    }

    TreeOnDevices<T> tree;
    std::vector<TreePiece> pieces;
    std::vector<BlockRoom> rooms;
    std::vector<FailedPivot> failed_pivots;

    CurrentDevice first_device() const { return CurrentDevice(tree.devices().front().device); }
};

template <class T>
ResidentFactorization<T>::ResidentFactorization(const std::vector<Device>& devices,
                                                std::shared_ptr<const Analysis> analysis, count_t most_bytes,
                                                PivotSearch search, index_t cores)
    : state_(new State(devices, std::move(analysis), most_bytes, search, cores)) {}

template <class T>
ResidentFactorization<T>::~ResidentFactorization() = default;

template <class T>
const std::shared_ptr<const Analysis>& ResidentFactorization<T>::analysis() const noexcept {
    return state_->tree.analysis();
}

template <class T>
std::size_t ResidentFactorization<T>::used_devices() const noexcept {
    return state_->tree.devices().size();
}

template <class T>
count_t ResidentFactorization<T>::bytes(std::size_t device) const noexcept {
    return state_->tree.plan().bytes(static_cast<index_t>(device)) + bytes_of_values<T>(*analysis());
}

template <class T>
std::function<index_t(index_t, index_t)> ResidentFactorization<T>::columns_that_fit(count_t most_bytes) const {
    const count_t beside = state_->tree.plan().bytes_of_tables() + bytes_of_values<T>(*analysis());
    // A thirty-second is for what tables grow by.
    const count_t most = std::max<count_t>(most_bytes - beside, 0) / static_cast<count_t>(sizeof(T)) / 32 * 31;
    return [most](index_t npiv, index_t nfront) { return columns_at_once(npiv, nfront, most); };
}

template <class T>
count_t ResidentFactorization<T>::host_bytes() const noexcept {
    return state_->tree.plan().host_bytes();
}

template <class T>
const std::vector<TreePiece>& ResidentFactorization<T>::pieces() const noexcept {
    return state_->pieces;
}

template <class T>
const std::vector<index_t>& ResidentFactorization<T>::piece_of_fronts() const noexcept {
    return state_->tree.plan().tree.range_of_fronts();
}

template <class T>
const std::vector<BlockRoom>& ResidentFactorization<T>::rooms() const noexcept {
    return state_->rooms;
}

template <class T>
bool ResidentFactorization<T>::is_in_parts() const noexcept {
    return state_->tree.plan().cut_for_memory;
}

template <class T>
count_t ResidentFactorization<T>::strips() const noexcept {
    return static_cast<count_t>(state_->tree.plan().strips.size());
}

template <class T>
count_t ResidentFactorization<T>::host_traffic_bytes() const noexcept {
    return state_->tree.plan().host_traffic_bytes();
}

template <class T>
count_t ResidentFactorization<T>::pivot_bytes() const noexcept {
    const TreePlan<T>& plan = state_->tree.plan();
    return (plan.pivot_scalars() * static_cast<count_t>(sizeof(T)) +
            plan.perm_size() * static_cast<count_t>(sizeof(index_t))) *
           static_cast<count_t>(used_devices());
}

template <class T>
count_t ResidentFactorization<T>::launches() const noexcept {
    const TreePlan<T>& plan = state_->tree.plan();
    const count_t of_step = launches_of_step + (plan.search == PivotSearch::front ? launches_of_search : 0);
    return of_step * static_cast<count_t>(plan.steps.launches.size()) +
           launches_of_level * static_cast<count_t>(plan.tree.levels().size()) +
           launches_of_strip * static_cast<count_t>(plan.tree.strips().size());
}

template <class T>
T* ResidentFactorization<T>::host_values() {
    const CurrentDevice current = state_->first_device();
    state_->tree.be_ready();
    return state_->tree.host_values();
}

template <class T>
void ResidentFactorization<T>::run(const PieceRun<T>& piece) {
    const std::size_t device = at(state_->pieces[at(piece.piece)].device);
    const CurrentDevice current(state_->tree.devices()[device].device);
    state_->tree.run(piece);
}

template <class T>
double ResidentFactorization<T>::largest_entry() const {
    return state_->tree.largest_entry();
}

template <class T>
void ResidentFactorization<T>::put_pivots(index_t first_column, const std::vector<T>& pivots,
                                          const std::vector<index_t>& perm) {
    state_->tree.put_pivots(first_column, pivots, perm);
}

template <class T>
std::vector<double> ResidentFactorization<T>::front_seconds() const {
    return state_->tree.front_seconds();
}

template <class T>
bool ResidentFactorization<T>::finish(const PivotRule& rule, Answer& answer) {
    State& s = *state_;
    s.failed_pivots.clear();
    if (!std::isfinite(s.tree.largest_entry())) return false;
    s.tree.collect();
    if (s.tree.has_failed()) {
        s.failed_pivots = s.tree.failed_pivots();
        return false;
    }
    answer.perm.assign(s.tree.perm(), s.tree.perm() + s.tree.plan().perm_size());
    answer.report = s.tree.report(rule.threshold > 0);
    return true;
}

template <class T>
const std::vector<FailedPivot>& ResidentFactorization<T>::failed_pivots() const noexcept {
    return state_->failed_pivots;
}

#define FROND_INSTANTIATE(T) template class ResidentFactorization<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
