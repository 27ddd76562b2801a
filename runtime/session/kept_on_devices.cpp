// SPDX-License-Identifier: BSD-3-Clause
// What stays on devices between factorizations and solves, and gives way where its memory is needed.
#include "session/session_state.hpp"

#include "session/starpu/forks.hpp"
#include "frond/codelets/time_models.hpp"

namespace frond::detail {

void SessionState::add_hold(DeviceHold& hold) {
    const std::lock_guard lock(holds_mutex_);
    holds_.push_back(&hold);
}

void SessionState::remove_hold(DeviceHold& hold) noexcept {
    if (has_lost_threads()) return;  // here and below: nobody will ask again
    const std::lock_guard lock(holds_mutex_);
    std::erase(holds_, &hold);
}

void SessionState::pause_holds() {
    ++hold_pauses_;  // first: who holds after this was asked before it, and is met below
    const std::lock_guard lock(holds_mutex_);
    for (DeviceHold* const hold : holds_) hold->release_device();
}

/// Holds the lock, so that nobody's factors go meanwhile.
void SessionState::store_held_factors(const std::atomic<bool>* cancel) {
    const std::lock_guard lock(holds_mutex_);
    for (DeviceHold* const hold : holds_) hold->store_factors(cancel);
}

count_t SessionState::held_bytes(const DeviceHold* asking) {
    const std::lock_guard lock(holds_mutex_);
    count_t bytes = 0;
    for (const DeviceHold* const hold : holds_)
        if (hold != asking) bytes += hold->device_bytes();
    return bytes;
}

namespace {

using Workspace = std::unique_ptr<DeviceWorkspace>;

Workspace taken(RecentlyKept<Workspace>& from, const void* subject) {
    return from.take([subject](const Workspace& w) { return subject == nullptr || w->subject() == subject; })
        .value_or(nullptr);
}

count_t bytes_of(const RecentlyKept<Workspace>& all) {
    return all.sum([](const Workspace& w) { return w->device_bytes(); });
}

}  // namespace

Workspace SessionState::take_workspace(const void* subject) {
    const std::lock_guard lock(holds_mutex_);
    return taken(workspaces_, subject);
}

// What goes does so after the lock, here and below.

void SessionState::keep_workspace(Workspace workspace) {
    std::optional<Workspace> gone;
    const std::lock_guard lock(holds_mutex_);
    gone = workspaces_.keep(std::move(workspace));
}

void SessionState::forget_workspaces() {
    std::vector<Workspace> all;
    {
        const std::lock_guard lock(holds_mutex_);
        all = workspaces_.take_all();
    }
    for (Workspace& workspace : all)
        if (workspace->forget_memory()) keep_workspace(std::move(workspace));
}

count_t SessionState::workspace_bytes() {
    const std::lock_guard lock(holds_mutex_);
    return bytes_of(workspaces_);
}

Workspace SessionState::take_spare_solve(const void* subject) {
    const std::lock_guard lock(spare_solves_mutex_);
    return taken(spare_solves_, subject);
}

void SessionState::keep_spare_solve(Workspace solve) {
    std::optional<Workspace> gone;
    const std::lock_guard lock(spare_solves_mutex_);
    gone = spare_solves_.keep(std::move(solve));
}

void SessionState::forget_spare_solves() {
    std::vector<Workspace> gone;
    const std::lock_guard lock(spare_solves_mutex_);
    gone = spare_solves_.take_all();
}

count_t SessionState::spare_solve_bytes() {
    const std::lock_guard lock(spare_solves_mutex_);
    return bytes_of(spare_solves_);
}

FactorParts SessionState::take_parts(const std::vector<PartPlace>& places) {
    std::optional<FactorParts> kept;
    {
        const std::lock_guard lock(holds_mutex_);
        kept = parts_.take([&places](const FactorParts& parts) { return parts.places() == places; });
    }
    if (!kept) return {places, pinned_heap_, simulates() ? Pinning::at_once : Pinning::beside_tasks};
    kept->let_go();
    return std::move(*kept);
}

/// What is held stays so: StarPU would save it to the host to make room, and nobody needs it any more.
void SessionState::keep_parts(FactorParts parts) noexcept {
    if (!running() || parts.is_empty()) return;
    std::optional<FactorParts> gone;
    const std::lock_guard lock(holds_mutex_);
    gone = parts_.keep(std::move(parts));
}

void SessionState::drop_parts(const std::vector<PartPlace>& places) {
    std::optional<FactorParts> gone;
    const std::lock_guard lock(holds_mutex_);
    gone = parts_.take([&places](const FactorParts& parts) { return parts.places() == places; });
}

void SessionState::forget_parts(const std::vector<PartPlace>& except) {
    std::vector<FactorParts> gone;
    const std::lock_guard lock(holds_mutex_);
    gone = parts_.take_all();
    for (FactorParts& parts : gone)
        if (!except.empty() && parts.places() == except) static_cast<void>(parts_.keep(std::move(parts)));
}

void SessionState::forget_kept(const std::vector<PartPlace>& except) {
    forget_spare_solves();
    forget_workspaces();
    forget_parts(except);
}

count_t SessionState::kept_bytes(bool on_host, const std::vector<PartPlace>& except) {
    const std::lock_guard lock(holds_mutex_);
    return parts_.sum([&](const FactorParts& parts) {
        if (!except.empty() && parts.places() == except) return count_t{0};
        return on_host ? parts.bytes_on_host() : parts.bytes_on_devices();
    });
}

}  // namespace frond::detail
