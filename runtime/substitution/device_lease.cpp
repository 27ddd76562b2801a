// SPDX-License-Identifier: BSD-3-Clause
// When a solve gets factors on the device, what is made for it there, and what becomes of that.
#include <algorithm>

#include "factors/factors_state.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "substitution/device_solve.hpp"

namespace frond::detail {
namespace {

/// To plan, send tables and record kernels anew takes about as long as so many solves on cores take longer.
constexpr index_t solves_before_plans_go = 2;

}  // namespace

/// Cores solve well where some factors are on the host. Where all are on the device, they would bring them tile by tile. A
/// deterministic run has each kind of work on the device where it can be.
template <class T>
bool DeviceSolve<T>::wait_for_more_solves(SolvePlace place) {
    if (place == SolvePlace::device || state_.analysis->options.deterministic) return false;
    waits_ = state_.factors.parts.bytes_on_host() > 0 && requests_.fetch_add(1) < solves_before_plans_go;
    return waits_;
}

template <class T>
typename DeviceSolve<T>::Lease DeviceSolve<T>::lease(index_t rhs, SolvePlace place) {
    Lease lease;
    lease.lock_ = std::unique_lock(mutex_, std::try_to_lock);
    if (!lease.lock_.owns_lock() || state_.session->holds_paused()) return lease;
    if (solve_ != nullptr &&
        solve_->largest_rhs() >= std::clamp(rhs, DeviceFit<T>::least_rhs, DeviceFit<T>::most_rhs)) {
        lease.solve_ = solve_.get();
        return lease;
    }
    lease.lock_.unlock();
    // Before the lock: who releases holds takes the session's lock first, then this one.
    const count_t holds = state_.session->held_bytes(this), workspace = state_.session->workspace_bytes();
    if (fit_.rhs_that_fit(holds + workspace) == 0 && fit_.rhs_that_fit(holds) > 0) {
        if (wait_for_more_solves(place)) return lease;
        state_.session->forget_workspaces();
    }
    const count_t others = holds + state_.session->workspace_bytes();
    lease.lock_ = std::unique_lock(mutex_, std::try_to_lock);
    if (!lease.lock_.owns_lock() || state_.session->holds_paused()) return lease;
    const index_t wanted =
        std::min(fit_.rhs_that_fit(others), std::clamp(rhs, DeviceFit<T>::least_rhs, DeviceFit<T>::most_rhs));
    if (wanted == 0 && solve_ == nullptr) return lease;
    if (solve_ == nullptr || solve_->largest_rhs() < wanted) {
        try {
            make_solve(wanted);
        } catch (const DeviceError&) {  // the session may keep the memory of earlier factors for the next ones
            lease.lock_.unlock();
            state_.session->forget_parts();
            lease.lock_ = std::unique_lock(mutex_, std::try_to_lock);
            if (!lease.lock_.owns_lock() || state_.session->holds_paused()) return lease;
            make_solve(wanted);
        }
    }
    lease.solve_ = solve_.get();
    return lease;
}

/// Takes the solve of earlier factors of the same analysis, if the session kept it; that of another analysis is freed.
template <class T>
bool DeviceSolve<T>::use_spare_solve() {
    const std::unique_ptr<DeviceWorkspace> kept = state_.session->take_spare_solve(state_.analysis.get());
    auto* const spare = dynamic_cast<SpareSolve<T>*>(kept.get());
    if (spare == nullptr || spare->analysis != state_.analysis || spare->device != device_->device) return false;
    gpu::PlacedFactors<T> placed = place();
    prepare_on_device([&] { spare->solve->use(std::move(placed)); });
    solve_ = std::move(spare->solve);
    return true;
}

/// Makes a solve with room for so many right-hand sides.
template <class T>
void DeviceSolve<T>::make_solve(index_t rhs) {
    try {
        if (solve_ == nullptr && !use_spare_solve()) {
            gpu::PlacedFactors<T> placed = place();
            prepare_on_device([&] {
                solve_ = gpu::make_resident_solve<T>(device_->device, device_->memory_node, std::move(placed), rhs);
            });
        }
        if (solve_->largest_rhs() < rhs) prepare_on_device([&] { solve_->grow(rhs); });
    } catch (...) {
        let_go();
        throw;
    }
    solve_bytes_ = fit_.bytes(solve_->largest_rhs());
    held_bytes_ = solve_bytes_ + solve_->system_bytes();
}

template <class T>
void DeviceSolve<T>::leave_to_session() noexcept {
    try {
        if (solve_ != nullptr && state_.session->running() && solve_->leave_factors()) {
            auto spare = std::make_unique<SpareSolve<T>>();
            spare->analysis = state_.analysis;
            spare->device = device_->device;
            spare->bytes = held_bytes_ - fit_.factor_bytes();
            spare->solve = std::move(solve_);
            state_.session->keep_spare_solve(std::move(spare));
        }
    } catch (const std::bad_alloc&) {  // then it goes
    }
    let_go();
}

template <class T>
void DeviceSolve<T>::let_go() noexcept {
    solve_.reset();
    held_.reset();
    held_bytes_ = 0;
}

template <class T>
gpu::PlacedFactors<T> DeviceSolve<T>::place() {
    const Analysis& analysis = *state_.analysis;
    gpu::PlacedFactors<T> all;
    all.analysis = &analysis;
    all.plan = tables_->plan();
    held_.emplace(state_.factors, *device_);
    all.fronts = held_->fronts();
    if (state_.kind() != Factorization::llt) all.pivot_order = state_.factors.pivot_orders_of_subtrees();
    return all;
}

#define FROND_INSTANTIATE(T)                                                            \
    template typename DeviceSolve<T>::Lease DeviceSolve<T>::lease(index_t, SolvePlace); \
    template void DeviceSolve<T>::leave_to_session() noexcept;                          \
    template void DeviceSolve<T>::let_go() noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
