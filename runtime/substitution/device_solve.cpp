// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/device_solve.hpp"

#include <algorithm>
#include <chrono>
#include <new>

#include "factors/factors_state.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "session/parallel_for.hpp"
#include "tasks/solve_piece/solve_piece.hpp"
#include "substitution/device_task.hpp"
#include "substitution/store_on_host.hpp"
#include "substitution/system_by_rows.hpp"

namespace frond::detail {
namespace {

constexpr index_t least_rhs = 8;
/// To plan, send tables and record kernels anew takes about as long as so many solves on cores take longer.
constexpr index_t solves_before_plans_go = 2;

}  // namespace

template <class T>
DeviceSolve<T>::DeviceSolve(const FactorsState<T>& state)
    : state_(state),
      device_(state.session->has_devices() ? gpu::first_device() : std::nullopt),
      tables_(device_ && state.analysis->order > 0 ? SolveTables::of(state.analysis) : nullptr),
      fit_(state, device_, tables_ == nullptr ? nullptr : tables_->plan().get()) {
    state.session->add_hold(*this);
}

template <class T>
bool DeviceSolve<T>::prepare() {
    if (!fit_.why_none().empty() || !(state_.analysis->options.deterministic || pays())) return false;
    tables_->pattern(state_.matrix->pattern, state_.matrix->symmetry, false, parallel_for_on(*state_.session));
    state_.solution_scale(Operation::none);
    return true;
}

template <class T>
void DeviceSolve<T>::choose(gpu::ResidentSolve<T>& solve, Operation op) {
    solve.choose(is_symmetric(state_.kind()) ? Operation::none : op);
    held_bytes_ = solve_bytes_ + solve.system_bytes();
}

template <class T>
void DeviceSolve<T>::send_system(gpu::ResidentSolve<T>& solve, Operation op) {
    choose(solve, op);
    if (solve.has_system()) return;
    const bool transposed = op != Operation::none;
    const ParallelFor parallel_for = parallel_for_on(*state_.session);
    const gpu::SystemByRows<T> system =
        system_by_rows(state_, op,
                       tables_->pattern(state_.matrix->pattern, state_.matrix->symmetry, transposed, parallel_for),
                       parallel_for);
    prepare_on_device([&] { solve.set_system(system, parallel_for); });
    held_bytes_ = solve_bytes_ + solve.system_bytes();
}

template <class T>
double DeviceSolve<T>::presolve() {
    if (state_.report.status == FactorStatus::not_positive_definite || !why_not({}).empty()) return 0;
    const auto start = std::chrono::steady_clock::now();
    const JobGuard guard(*state_.session);
    try {
        const Lease held = lease(least_rhs, SolvePlace::device);
        if (held.get() == nullptr) return 0;
        send_system(*held.get(), Operation::none);
    } catch (const DeviceError&) {  // the factors are as good; who solves on the device gets the error
        return 0;
    } catch (const OutOfMemory&) {
        return 0;
    } catch (const std::bad_alloc&) {
        return 0;
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T>
DeviceSolve<T>::~DeviceSolve() {
    state_.session->remove_hold(*this);
    leave_to_session();
}

/// Cores solve well where some factors are on the host. Where all are on the device, they would bring them tile by tile. A
/// deterministic run has each kind of work on the device where it can be.
template <class T>
bool DeviceSolve<T>::wait_for_more_solves(SolvePlace place) {
    if (place == SolvePlace::device || state_.analysis->options.deterministic) return false;
    waits_ = state_.parts.bytes_on_host() > 0 && requests_.fetch_add(1) < solves_before_plans_go;
    return waits_;
}

template <class T>
typename DeviceSolve<T>::Lease DeviceSolve<T>::lease(index_t rhs, SolvePlace place) {
    Lease lease;
    lease.lock_ = std::unique_lock(mutex_, std::try_to_lock);
    if (!lease.lock_.owns_lock() || state_.session->holds_paused()) return lease;
    if (solve_ != nullptr && solve_->largest_rhs() >= std::clamp(rhs, least_rhs, DeviceFit<T>::most_rhs)) {
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
    const index_t wanted = std::min(fit_.rhs_that_fit(others), std::clamp(rhs, least_rhs, DeviceFit<T>::most_rhs));
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

/// That of earlier factors of the same analysis, if the session kept it; of others it goes.
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

/// Operations are few beside what is read and written.
template <class T>
void DeviceSolve<T>::prepare_on_device(const std::function<void()>& body) const {
    run_on_device(state_, *device_, prepare_solve_codelet<T>(), 0, body);
}

template <class T>
void DeviceSolve<T>::run(index_t rhs, const std::function<void()>& body) const {
    run_on_device(state_, *device_, solve_piece_codelet<T>(), rhs, body);
}

/// With room for so many right-hand sides.
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
void DeviceSolve<T>::set_home_bytes(count_t bytes) noexcept {
    state_.bytes_on_device = bytes;
}

template <class T>
count_t DeviceSolve<T>::device_bytes() const noexcept {
    return std::max<count_t>(held_bytes_, state_.bytes_on_device);
}

template <class T>
void DeviceSolve<T>::release_device() {
    const std::lock_guard lock(mutex_);
    leave_to_session();
}

/// Without room, or where the device fails, they stay, and tasks bring tile after tile to the host.
template <class T>
void DeviceSolve<T>::store_factors(const std::atomic<bool>* cancel) try {
    const std::lock_guard lock(mutex_);
    if (solve_ == nullptr && store_on_host(state_, cancel)) set_home_bytes(0);
} catch (const OutOfMemory&) {
} catch (const DeviceError&) {
} catch (const std::bad_alloc&) {
}

template <class T>
void DeviceSolve<T>::abandon() {
    const std::lock_guard lock(mutex_);
    let_go();
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
    const AssemblyTree& tree = analysis.tree;
    gpu::PlacedFactors<T> all;
    all.analysis = &analysis;
    all.plan = tables_->plan();
    held_.emplace(state_, *device_);
    all.fronts = held_->fronts();
    if (state_.kind() != Factorization::llt) all.pivot_order.assign(at(analysis.order), 0);
    for (std::size_t s = 0; s < state_.subtrees.size(); ++s) {
        const Subtree& subtree = analysis.mapping.subtrees[s];
        if (!all.pivot_order.empty())
            std::copy(state_.subtrees[s].pivots->perm.begin(), state_.subtrees[s].pivots->perm.end(),
                      all.pivot_order.begin() + tree.fronts[at(subtree.first_front)].first_column);
    }
    return all;
}

template <class T>
DeviceSolve<T>& FactorsState<T>::device_solve() const {
    const std::lock_guard lock(mutex_);
    if (device_solve_ == nullptr) device_solve_ = std::make_shared<DeviceSolve<T>>(*this);
    return *device_solve_;
}

#define FROND_INSTANTIATE(T)       \
    template class DeviceSolve<T>; \
    template DeviceSolve<T>& FactorsState<T>::device_solve() const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
