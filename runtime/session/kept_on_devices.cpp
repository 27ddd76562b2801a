// SPDX-License-Identifier: BSD-3-Clause
// What stays on devices between factorizations and solves, and gives way where its memory is needed.
#include "session/session_state.hpp"

namespace frond::detail {

void SessionState::add_hold(DeviceHold& hold) {
    const std::lock_guard lock(holds_mutex_);
    holds_.push_back(&hold);
}

void SessionState::remove_hold(DeviceHold& hold) noexcept {
    const std::lock_guard lock(holds_mutex_);
    std::erase(holds_, &hold);
}

void SessionState::pause_holds() {
    ++hold_pauses_;  // first: who holds after this was asked before it, and is met below
    const std::lock_guard lock(holds_mutex_);
    for (DeviceHold* const hold : holds_) hold->release_device();
}

count_t SessionState::held_bytes(const DeviceHold* asking) {
    const std::lock_guard lock(holds_mutex_);
    count_t bytes = 0;
    for (const DeviceHold* const hold : holds_)
        if (hold != asking) bytes += hold->device_bytes();
    return bytes;
}

std::unique_ptr<DeviceWorkspace> SessionState::take_workspace() {
    const std::lock_guard lock(holds_mutex_);
    return std::move(workspace_);
}

void SessionState::keep_workspace(std::unique_ptr<DeviceWorkspace> workspace) {
    const std::lock_guard lock(holds_mutex_);
    std::swap(workspace_, workspace);  // the one before goes after the lock
}

count_t SessionState::workspace_bytes() {
    const std::lock_guard lock(holds_mutex_);
    return workspace_ != nullptr ? workspace_->device_bytes() : 0;
}

std::unique_ptr<DeviceWorkspace> SessionState::take_spare_solve() {
    const std::lock_guard lock(spare_solve_mutex_);
    return std::move(spare_solve_);
}

void SessionState::keep_spare_solve(std::unique_ptr<DeviceWorkspace> solve) {
    const std::lock_guard lock(spare_solve_mutex_);
    std::swap(spare_solve_, solve);
}

count_t SessionState::spare_solve_bytes() {
    const std::lock_guard lock(spare_solve_mutex_);
    return spare_solve_ != nullptr ? spare_solve_->device_bytes() : 0;
}

FactorParts SessionState::take_parts(const std::vector<PartPlace>& places) {
    FactorParts kept;
    {
        const std::lock_guard lock(holds_mutex_);
        std::swap(kept, parts_);
    }
    if (!kept.is_empty() && kept.places() == places) {
        kept.let_go();
        return kept;
    }
    kept = FactorParts();  // its memory first
    return {places, pinned_heap_};
}

count_t SessionState::kept_bytes_on_host() {
    const std::lock_guard lock(holds_mutex_);
    return parts_.bytes_on_host();
}

/// What is held stays so: StarPU would save it to the host to make room, and nobody needs it any more.
void SessionState::keep_parts(FactorParts parts) noexcept {
    if (!running()) return;
    const std::lock_guard lock(holds_mutex_);
    std::swap(parts_, parts);
}

}  // namespace frond::detail
