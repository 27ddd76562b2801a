// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_factorization.hpp"

#include <algorithm>

#include "factor/device_tree.hpp"
#include "factor/peer_access.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/rates.hpp"
#include "tasks/count_eliminated.hpp"

namespace frond::gpu {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

constexpr count_t launches_of_step = 3, launches_of_level = 5;

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

}  // namespace

template <class T>
struct ResidentFactorization<T>::State {
    std::vector<DevicePlace> devices;
    std::shared_ptr<const Analysis> analysis;
    TreePlan<T> plan;
    std::vector<TreeSegment> segments;
    T* host_room = nullptr;
    std::unique_ptr<PinnedMemory<T>> host_values;
    DeviceMemory<T> handed_room;
    std::vector<std::unique_ptr<DeviceTree<T>>> trees;  // empty before the first run

    State(const std::vector<DevicePlace>& all, std::shared_ptr<const Analysis> of, count_t most_bytes)
        : devices(all),
          analysis(std::move(of)),
          plan(*analysis, shares<T>(*analysis, all.size()), most_bytes - ValueScaler<T>::bytes(*analysis)),
          segments(tree_segments(analysis->tree, plan.tree)) {
        devices.resize(at(plan.tree.devices()));
    }

    ~State() { drop_trees(); }

    void drop_trees() noexcept {
        for (auto& tree : trees) try {
                const CurrentDevice current(tree->place().device);
                tree.reset();
            } catch (const DeviceError&) {  // the device is lost, and all on it
            }
        trees.clear();
    }

    const CurrentDevice first_device() const { return CurrentDevice(devices.front().device); }

    void be_ready() {
        if (!trees.empty()) return;
        host_values = std::make_unique<PinnedMemory<T>>(analysis->entries);
        handed_room = DeviceMemory<T>(devices.front().memory_node, plan.handed.device_scalars());
        try {
            for (std::size_t d = 0; d < devices.size(); ++d) add_tree(d);
        } catch (...) {
            drop_trees();
            throw;
        }
    }

    void add_tree(std::size_t number) {
        const CurrentDevice current(devices[number].device);
        open_to_peers(devices, number);
        trees.push_back(std::make_unique<DeviceTree<T>>(devices[number], plan, static_cast<index_t>(number),
                                                        HandedRoom<T>{handed_room.data(), host_room},
                                                        host_values->data()));
    }

    /// visit(tree) for each, its device current.
    template <class Visit>
    void on_each(Visit visit) {
        for (auto& tree : trees) {
            const CurrentDevice current(tree->place().device);
            visit(*tree);
        }
    }

    void drain() {
        on_each([](const DeviceTree<T>& tree) { tree.drain(); });
    }

    void drain_quietly() noexcept {
        try {
            drain();
        } catch (const DeviceError&) {  // the first error is told
        }
    }

    void launch_segments() {
        for (std::size_t s = 0; s < segments.size(); ++s) {
            DeviceTree<T>& tree = *trees[at(segments[s].device)];
            const CurrentDevice current(tree.place().device);
            for (const index_t made : segments[s].after)
                trees[at(segments[at(made)].device)]->end_of(at(made)).let_wait(tree.stream());
            tree.launch(segments, s);
        }
    }

    /// Pivots that other devices found, beside those of the first.
    void collect() {
        const index_t pivots_each = static_cast<index_t>(plan.pivot_scalars() / std::max<index_t>(analysis->order, 1));
        for (const SubtreePlan::Range& range : plan.tree.ranges()) {
            if (range.device == 0) continue;
            const DeviceTree<T>& from = *trees[at(range.device)];
            const Front& last = analysis->tree.fronts[at(range.last_front)];
            const count_t begin = analysis->tree.fronts[at(range.first_front)].first_column;
            const count_t end = last.first_column + last.npiv;
            std::copy(from.host_pivots() + pivots_each * begin, from.host_pivots() + pivots_each * end,
                      trees.front()->host_pivots() + pivots_each * begin);
            if (plan.perm_size() > 0)
                std::copy(from.host_perm() + begin, from.host_perm() + end, trees.front()->host_perm() + begin);
        }
    }

    void report(const PivotRule& rule, PivotReport& counted) const {
        counted = count_eliminated(analysis->factorization, analysis->order, trees.front()->host_pivots());
        if (rule.threshold <= 0) return;
        for (const auto& tree : trees) counted.largest_l = std::max(counted.largest_l, tree->answer().largest());
    }
};

template <class T>
ResidentFactorization<T>::ResidentFactorization(const std::vector<DevicePlace>& devices,
                                                std::shared_ptr<const Analysis> analysis, count_t most_bytes)
    : state_(std::make_unique<State>(devices, std::move(analysis), most_bytes)) {}

template <class T>
ResidentFactorization<T>::~ResidentFactorization() = default;

template <class T>
const std::shared_ptr<const Analysis>& ResidentFactorization<T>::analysis() const noexcept {
    return state_->analysis;
}

template <class T>
std::size_t ResidentFactorization<T>::used_devices() const noexcept {
    return state_->devices.size();
}

template <class T>
count_t ResidentFactorization<T>::bytes(std::size_t device) const noexcept {
    return state_->plan.bytes(static_cast<index_t>(device)) + ValueScaler<T>::bytes(*state_->analysis);
}

template <class T>
count_t ResidentFactorization<T>::host_bytes() const noexcept {
    return state_->plan.host_bytes();
}

template <class T>
void ResidentFactorization<T>::use_host_room(T* room) noexcept {
    state_->host_room = room;
}

template <class T>
bool ResidentFactorization<T>::is_in_parts() const noexcept {
    return state_->plan.cut_for_memory;
}

template <class T>
count_t ResidentFactorization<T>::host_traffic_bytes() const noexcept {
    return state_->plan.host_traffic_bytes();
}

template <class T>
count_t ResidentFactorization<T>::pivot_bytes() const noexcept {
    return (state_->plan.pivot_scalars() * static_cast<count_t>(sizeof(T)) +
            state_->plan.perm_size() * static_cast<count_t>(sizeof(index_t))) *
           static_cast<count_t>(state_->devices.size());
}

template <class T>
count_t ResidentFactorization<T>::launches() const noexcept {
    return launches_of_step * static_cast<count_t>(state_->plan.steps.launches.size()) +
           launches_of_level * static_cast<count_t>(state_->plan.tree.levels().size());
}

template <class T>
T* ResidentFactorization<T>::host_values() {
    const CurrentDevice current = state_->first_device();
    state_->be_ready();
    return state_->host_values->data();
}

template <class T>
double ResidentFactorization<T>::scale(const Pattern& pattern, const Scaling& scaling) {
    State& s = *state_;
    const CurrentDevice current = s.first_device();
    s.be_ready();
    s.on_each([&](DeviceTree<T>& tree) { tree.scaler().scale(pattern, scaling, tree.values()); });
    s.drain();
    return s.trees.front()->scaler().largest();
}

template <class T>
void ResidentFactorization<T>::start(const PivotRule& rule, const std::vector<PlacedFront<T>>& places) {
    State& s = *state_;
    const CurrentDevice current = s.first_device();
    s.be_ready();
    const EliminateRule limits = eliminate_rule<T>(s.analysis->factorization, rule, rule.threshold > 0);
    try {
        s.on_each([&](DeviceTree<T>& tree) { tree.begin(limits, places); });
        s.launch_segments();
        s.on_each([](DeviceTree<T>& tree) { tree.end(); });
    } catch (...) {
        s.drain_quietly();  // before memory goes that kernels write
        throw;
    }
}

template <class T>
bool ResidentFactorization<T>::finish(const PivotRule& rule, Answer& answer) {
    State& s = *state_;
    s.drain();
    for (const auto& tree : s.trees)
        if (tree->answer().failed != 0) return false;
    s.collect();
    answer.perm.assign(s.trees.front()->host_perm(), s.trees.front()->host_perm() + s.plan.perm_size());
    s.report(rule, answer.report);
    return true;
}

#define FROND_INSTANTIATE(T) template class ResidentFactorization<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
