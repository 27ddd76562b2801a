// SPDX-License-Identifier: BSD-3-Clause
#include "submit/tree_workspace.hpp"

#include <algorithm>
#include <limits>

#include "factors/place_factors.hpp"
#include "frond/base/instantiate.hpp"
#include "memory/memory_limit.hpp"

namespace frond::detail {
namespace {

constexpr double usable_share = 0.8;

template <class T>
bool fits_others(const TreeWorkspace<T>& workspace) {
    for (std::size_t d = 1; d < workspace.resident->used_devices(); ++d)
        if (workspace.resident->bytes(d) > room_of(workspace.devices[d])) return false;
    return true;
}

template <class T>
bool fits(const TreeWorkspace<T>& workspace, count_t room_bytes) {
    return bytes_on_device(workspace) <= room_bytes && fits_others(workspace);
}

/// A new one might be better where there is more room than it was planned for, or less than it takes.
template <class T>
bool is_as_good_as_new(const TreeWorkspace<T>& kept, count_t room_bytes) {
    if (kept.resident == nullptr) return kept.factorizations_to_skip > 0;
    const bool more_room = room_bytes / 10 * 9 > kept.room_bytes, less_room = room_bytes < kept.room_bytes / 10 * 9;
    if (!fits(kept, kept.room_bytes)) return !more_room && !less_room;
    const bool restricted = kept.factors_on_host || kept.resident->is_in_parts();
    return fits(kept, room_bytes) && !(restricted && more_room);
}

template <class T>
void plan(TreeWorkspace<T>& workspace, count_t most_bytes) {
    workspace.values.release();
    workspace.layout = nullptr;
    workspace.resident = std::make_unique<gpu::ResidentFactorization<T>>(workspace.devices, workspace.failed.analysis(),
                                                                         most_bytes, workspace.search);
    workspace.launches = workspace.resident->launches();
}

/// With all devices, else with the first alone.
template <class T>
bool plan_what_fits(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices, count_t most_bytes) {
    workspace.devices = devices;
    plan(workspace, most_bytes);
    if (fits(workspace, workspace.room_bytes) || devices.size() <= 1) return fits(workspace, workspace.room_bytes);
    return plan_what_fits(workspace, {devices.front()}, most_bytes);
}

template <class T>
void plan_what_fits(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices) {
    if (plan_what_fits(workspace, devices, std::numeric_limits<count_t>::max() / 4)) return;
    const count_t beside_factors = workspace.room_bytes - factor_bytes_on_device<T>(*workspace.failed.analysis());
    const bool whole = beside_factors > 0 && plan_what_fits(workspace, devices, beside_factors);
    if (whole && workspace.resident->host_bytes() == 0) return;
    workspace.factors_on_host = true;
    plan_what_fits(workspace, devices, workspace.room_bytes);
}

}  // namespace

count_t room_of(const gpu::Device& device) noexcept {
    return static_cast<count_t>(usable_share * static_cast<double>(device.memory_bytes));
}

template <class T>
std::unique_ptr<TreeWorkspace<T>> tree_workspace(const FactorsState<T>& state, const std::vector<gpu::Device>& devices,
                                                 count_t room_bytes) {
    std::unique_ptr<DeviceWorkspace> kept = state.session->take_workspace();
    auto* const same = dynamic_cast<TreeWorkspace<T>*>(kept.get());
    const bool is_same = same != nullptr && same->failed.given() == state.analysis;
    if (is_same && same->offered == devices.size() && is_as_good_as_new(*same, room_bytes)) {
        static_cast<void>(kept.release());
        if (same->factorizations_to_skip > 0) --same->factorizations_to_skip;
        return std::unique_ptr<TreeWorkspace<T>>(same);
    }
    auto workspace = std::make_unique<TreeWorkspace<T>>(state.analysis);
    if (is_same) workspace->times_given_up = same->times_given_up;
    if (is_same && same->resident != nullptr) {
        workspace->failed = same->failed;
        workspace->search = same->search;
    }
    kept.reset();  // its memory first
    workspace->room_bytes = room_bytes;
    workspace->devices = devices;
    workspace->offered = devices.size();
    plan_anew(*workspace);
    return workspace;
}

template <class T>
void plan_anew(TreeWorkspace<T>& workspace) {
    workspace.resident.reset();
    workspace.host_room.release();
    workspace.factors_on_host = workspace.was_used = workspace.has_factored = false;
    plan_what_fits(workspace, std::vector<gpu::Device>(workspace.devices));
}

template <class T>
void give_up(TreeWorkspace<T>& workspace) {
    constexpr index_t most_doublings = 20;
    workspace.resident.reset();
    workspace.host_room.release();
    workspace.failed = FailedPivots(workspace.failed.given());
    workspace.search = gpu::PivotSearch::block;
    workspace.times_given_up = std::min(workspace.times_given_up + 1, most_doublings);
    workspace.factorizations_to_skip = (1 << workspace.times_given_up) - 1;
}

template <class T>
const std::vector<count_t>& part_bytes(TreeWorkspace<T>& workspace) {
    if (workspace.layout == nullptr) workspace.layout = factor_layout<T>(*workspace.failed.analysis());
    return workspace.layout->part_bytes;
}

template <class T>
count_t bytes_on_device(const TreeWorkspace<T>& workspace) {
    const count_t factors = workspace.factors_on_host ? 0 : factor_bytes_on_device<T>(*workspace.failed.analysis());
    return factors + workspace.resident->bytes();
}

template <class T>
count_t bytes_on_host(const TreeWorkspace<T>& workspace, const PeakPrediction& predicted) {
    return (workspace.factors_on_host ? predicted.factor_bytes : 0) + workspace.resident->host_bytes();
}

template <class T>
std::string does_not_fit(const TreeWorkspace<T>& workspace, SessionState& session, const PeakPrediction& predicted,
                         count_t room_bytes, count_t given_bytes) {
    const count_t needed = bytes_on_device(workspace);
    if (needed > room_bytes) return "it needs " + std::to_string(needed) + " bytes there";
    if (!fits_others(workspace)) return "it needs more of the other devices than they have";
    const count_t on_host = bytes_on_host(workspace, predicted);
    if (on_host == 0) return "";
    // What the session holds already is not free, but the workspace's, or for the factors.
    const HostHeap& pinned = session.pinned_heap();
    const count_t there = pinned.mapped_bytes() - pinned.used_bytes() + workspace.host_room.bytes();
    const count_t room = budget_bytes(given_bytes) + (given_bytes > 0 ? 0 : there) - predicted.fixed_bytes;
    if (on_host <= room) return "";
    return "it needs " + std::to_string(on_host) + " bytes of the host for what does not fit there";
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template std::unique_ptr<TreeWorkspace<T>> tree_workspace<T>(const FactorsState<T>&,                         \
                                                                 const std::vector<gpu::Device>&, count_t);      \
    template void plan_anew<T>(TreeWorkspace<T>&);                                                               \
    template void give_up<T>(TreeWorkspace<T>&);                                                                 \
    template const std::vector<count_t>& part_bytes<T>(TreeWorkspace<T>&);                                       \
    template count_t bytes_on_device<T>(const TreeWorkspace<T>&);                                                \
    template count_t bytes_on_host<T>(const TreeWorkspace<T>&, const PeakPrediction&);                           \
    template std::string does_not_fit<T>(const TreeWorkspace<T>&, SessionState&, const PeakPrediction&, count_t, \
                                         count_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
