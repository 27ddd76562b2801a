// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/tree_workspace.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "memory/memory_limit.hpp"
#include "session/parallel_for.hpp"
#include "submit/whole_tree/plan_tree.hpp"

namespace frond::detail {
namespace {

/// A new one might be better where there is more room than it was planned for, or less than it takes.
template <class T>
bool is_as_good_as_new(const TreeWorkspace<T>& kept, count_t room_bytes) {
    if (kept.resident == nullptr) return kept.factorizations_to_skip > 0;
    const bool more_room = room_bytes / 10 * 9 > std::max(kept.room_bytes, kept.refused_bytes);
    const bool less_room = room_bytes < kept.room_bytes / 10 * 9;
    if (!fits(kept, kept.room_bytes)) return !more_room && !less_room;
    return fits(kept, room_bytes) && !(is_restricted(kept) && more_room);
}

count_t unused_bytes(const HostHeap& heap) { return heap.mapped_bytes() - heap.used_bytes(); }

}  // namespace

template <class T>
std::unique_ptr<TreeWorkspace<T>> tree_workspace(const FactorsState<T>& state, const std::vector<gpu::Device>& devices,
                                                 count_t room_bytes, index_t cores) {
    std::unique_ptr<DeviceWorkspace> kept = state.session->take_workspace(state.analysis.get());
    auto* const same = dynamic_cast<TreeWorkspace<T>*>(kept.get());
    const bool is_same = same != nullptr && same->failed.given() == state.analysis;
    const bool is_alike = is_same && same->offered == devices.size() && same->cores == cores;
    if (is_alike && is_as_good_as_new(*same, room_bytes)) {
        static_cast<void>(kept.release());
        if (same->factorizations_to_skip > 0) --same->factorizations_to_skip;
        return std::unique_ptr<TreeWorkspace<T>>(same);
    }
    auto workspace = std::make_unique<TreeWorkspace<T>>(state.analysis);
    if (is_same) workspace->times_given_up = same->times_given_up;
    if (is_same && !same->failed.is_only_split()) {
        workspace->failed = same->failed;
        workspace->without_cores = same->without_cores;
    }
    kept.reset();  // its memory first
    workspace->room_bytes = room_bytes;
    workspace->devices = devices;
    workspace->offered = devices.size();
    workspace->cores = cores;
    workspace->is_of_branches = state.rest_of_tree.has_value();
    workspace->parallel_for = parallel_for_on(*state.session, "plan");
    plan_anew(*workspace);
    return workspace;
}

template <class T>
bool is_restricted(const TreeWorkspace<T>& workspace) {
    if (workspace.resident == nullptr) return false;
    return workspace.factors_on_host() || workspace.resident->is_in_parts() || !fits(workspace, workspace.room_bytes);
}

template <class T>
void plan_anew(TreeWorkspace<T>& workspace) {
    plan_what_fits(workspace, std::vector<gpu::Device>(workspace.devices));
}

template <class T>
void give_up(TreeWorkspace<T>& workspace) {
    constexpr index_t most_doublings = 20;
    workspace.forget();
    workspace.failed = FailedPivots(workspace.failed.given());
    workspace.times_given_up = std::min(workspace.times_given_up + 1, most_doublings);
    workspace.factorizations_to_skip = (1 << workspace.times_given_up) - 1;
}

template <class T>
count_t bytes_on_host(const TreeWorkspace<T>& workspace) {
    count_t bytes = workspace.bytes_of_factors_on_host() + workspace.resident->host_bytes();
    bytes += FactorParts::bytes_beside(workspace.places);
    if (workspace.kept != nullptr) bytes += workspace.kept->saved.bytes_on_host();
    for (const gpu::BlockRoom& room : workspace.resident->rooms().all())
        bytes += room.made == gpu::TreePiece::on_cores ? room.bytes : 0;
    return bytes;
}

template <class T>
count_t room_on_host(const TreeWorkspace<T>& workspace, SessionState& session, const PeakPrediction& predicted,
                     count_t given_bytes) {
    if (given_bytes > 0) return budget_bytes(given_bytes) - predicted.fixed_bytes;
    // What the session holds already is not free, but the workspace's, or for the factors.
    const KeptPieces<T>* const kept = workspace.kept.get();
    const count_t taken_over = kept == nullptr ? 0 : kept->parts.bytes_on_host() + kept->saved.bytes_on_host();
    const count_t there =
        unused_bytes(session.pinned_heap()) + workspace.rooms.bytes_on_host() + taken_over + session.kept_bytes(true);
    return budget_bytes(given_bytes) + there - predicted.fixed_bytes;
}

template <class T>
std::string does_not_fit(const TreeWorkspace<T>& workspace, SessionState& session, const PeakPrediction& predicted,
                         count_t room_bytes, count_t given_bytes) {
    const count_t needed = bytes_on_device(workspace, 0);
    if (needed > room_bytes) return "it needs " + std::to_string(needed) + " bytes there";
    if (!fits(workspace, room_bytes)) return "it needs more of the other devices than they have";
    const count_t on_host = bytes_on_host(workspace);
    if (on_host == 0) return "";
    HostHeap& pinned = session.pinned_heap();
    const count_t unused = unused_bytes(pinned), room = room_on_host(workspace, session, predicted, given_bytes);
    if (on_host <= room && on_host + unused > room)
        pinned.trim();  // of what was pinned for others there may be too little use
    if (on_host <= room) return "";
    return "it needs " + std::to_string(on_host) + " bytes of the host for what does not fit there";
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template std::unique_ptr<TreeWorkspace<T>> tree_workspace<T>(const FactorsState<T>&,                             \
                                                                 const std::vector<gpu::Device>&, count_t, index_t); \
    template bool is_restricted<T>(const TreeWorkspace<T>&);                                                         \
    template void plan_anew<T>(TreeWorkspace<T>&);                                                                   \
    template void give_up<T>(TreeWorkspace<T>&);                                                                     \
    template count_t bytes_on_host<T>(const TreeWorkspace<T>&);                                                      \
    template count_t room_on_host<T>(const TreeWorkspace<T>&, SessionState&, const PeakPrediction&, count_t);        \
    template std::string does_not_fit<T>(const TreeWorkspace<T>&, SessionState&, const PeakPrediction&, count_t,     \
                                         count_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
