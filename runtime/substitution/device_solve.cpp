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
#include "tasks/solve/solve_piece.hpp"
#include "substitution/device_task.hpp"
#include "substitution/store_on_host.hpp"
#include "substitution/system_by_rows.hpp"

namespace frond::detail {

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
    tables_->pattern(state_.system.matrix->pattern, state_.system.matrix->symmetry, false,
                     parallel_for_on(*state_.session, "system"));
    state_.system.solution_scale(Operation::none);
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
    const ParallelFor parallel_for = parallel_for_on(*state_.session, "system");
    const gpu::SystemByRows<T> system = system_by_rows(
        state_, op,
        tables_->pattern(state_.system.matrix->pattern, state_.system.matrix->symmetry, transposed, parallel_for),
        parallel_for);
    prepare_on_device([&] { solve.set_system(system, parallel_for); });
    held_bytes_ = solve_bytes_ + solve.system_bytes();
}

template <class T>
double DeviceSolve<T>::presolve() {
    const bool is_here = state_.factors.ownership.is_alone();
    if (!is_here || !can_solve_with(state_.report.status) || !why_not({}).empty()) return 0;
    const auto start = std::chrono::steady_clock::now();
    const JobGuard guard(*state_.session);
    try {
        const Lease held = lease(DeviceFit<T>::least_rhs, SolvePlace::device);
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

/// Operations are few against what is read and written.
template <class T>
void DeviceSolve<T>::prepare_on_device(const std::function<void()>& body) const {
    run_on_device(state_, *device_, prepare_solve_codelet<T>(), {}, body);
}

template <class T>
void DeviceSolve<T>::run(index_t rhs, const std::function<void()>& body) const {
    run_on_device(state_, *device_, solve_piece_codelet<T>(), {rhs, 2}, body);
}

template <class T>
void DeviceSolve<T>::run_sweep(index_t rhs, const std::function<void()>& body) const {
    run_on_device(state_, *device_, solve_piece_codelet<T>(), {rhs, 1}, body);
}

template <class T>
void DeviceSolve<T>::set_home_bytes(count_t bytes) noexcept {
    state_.factors.bytes_on_device = bytes;
}

template <class T>
count_t DeviceSolve<T>::device_bytes() const noexcept {
    return std::max<count_t>(held_bytes_, state_.factors.bytes_on_device);
}

template <class T>
void DeviceSolve<T>::release_device() {
    const std::lock_guard lock(mutex_);
    if (uses_ == 0) leave_to_session();
}

/// Without room on the host, or if the device fails, the factors stay there, and tasks bring tile after tile to the
/// host.
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
