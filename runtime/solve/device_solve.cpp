// SPDX-License-Identifier: BSD-3-Clause
#include "solve/device_solve.hpp"

#include <algorithm>
#include <chrono>
#include <new>

#include "factors/factors_state.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/rates.hpp"
#include "solve/spare_solve.hpp"
#include "solve/system_by_rows.hpp"

namespace frond::detail {
namespace {

constexpr index_t most_rhs = 64, least_rhs = 8;

/// Fronts with columns from a second pass are solved by tasks of their own on the host.
template <class T>
bool has_second_passes(const FactorsState<T>& state) {
    return std::any_of(state.tiled.begin(), state.tiled.end(), [](const auto& t) { return t->has_second_pass(); }) ||
           std::any_of(state.subtrees.begin(), state.subtrees.end(),
                       [](const auto& s) { return !s.second_passes.empty() || s.second_passes.delayed.bytes() > 0; });
}

template <class T>
count_t factor_bytes(const FactorsState<T>& state) {
    count_t scalars = 0;
    for (const Subtree& s : state.analysis->mapping.subtrees) scalars += s.factor_scalars;
    count_t bytes = scalars * static_cast<count_t>(sizeof(T));
    for (const TileGrid& grid : state.analysis->mapping.grids) bytes += TiledFront<T>::bytes(grid, state.kind()).own;
    return bytes;
}

}  // namespace

std::shared_ptr<SolveTables> SolveTables::of(const std::shared_ptr<const Analysis>& analysis) {
    static std::mutex mutex;
    static std::vector<std::shared_ptr<SolveTables>> all;
    const std::lock_guard lock(mutex);
    std::erase_if(all, [](const auto& tables) { return tables->analysis_.expired(); });
    for (const auto& known : all)
        if (known->analysis_.lock() == analysis) return known;
    auto tables = std::make_shared<SolveTables>();
    tables->analysis_ = analysis;
    tables->plan_ = gpu::plan_resident_solve(*analysis);
    all.push_back(tables);
    return tables;
}

std::shared_ptr<const gpu::SystemPattern> SolveTables::pattern(const Pattern& pattern, Symmetry symmetry,
                                                               bool transposed) {
    const std::lock_guard lock(mutex_);
    auto& kept = transposed ? transposed_ : pattern_;
    if (kept == nullptr) kept = system_pattern(pattern, symmetry, *analysis_.lock(), transposed);
    return kept;
}

template <class T>
DeviceSolve<T>::DeviceSolve(const FactorsState<T>& state) : state_(state) {
    if (!state.session->has_devices())
        unfit_ = "the session has no device";
    else if (!(device_ = gpu::first_device()))
        unfit_ = "StarPU has no worker for the session's devices";
    else if (state.analysis->order == 0)
        unfit_ = "the matrix is empty";
    if (unfit_.empty()) {
        tables_ = SolveTables::of(state.analysis);
        bytes_ = gpu::resident_bytes(*state.analysis, *tables_->plan(), static_cast<count_t>(sizeof(T)));
        if (rhs_that_fit(0) == 0) unfit_ = "the factors and what a solve needs beside them do not fit";
    }
    state.session->add_hold(*this);
}

template <class T>
bool DeviceSolve<T>::prepare() {
    if (!unfit_.empty() || !(state_.analysis->options.deterministic || pays())) return false;
    tables_->pattern(state_.matrix->pattern, state_.matrix->symmetry, false);
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
    solve.set_system(
        system_by_rows(state_, op, tables_->pattern(state_.matrix->pattern, state_.matrix->symmetry, transposed)));
    held_bytes_ = solve_bytes_ + solve.system_bytes();
}

template <class T>
double DeviceSolve<T>::presolve() {
    if (state_.report.status == FactorStatus::not_positive_definite || !why_not({}).empty()) return 0;
    const auto start = std::chrono::steady_clock::now();
    const JobGuard guard(*state_.session);
    try {
        const Lease held = lease(least_rhs);
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

/// A fifth of the device stays free for what else StarPU has there. others: bytes that other factors hold.
template <class T>
index_t DeviceSolve<T>::rhs_that_fit(count_t others) const {
    constexpr count_t used_parts = 4, parts = 5;
    const count_t room =
        device_->memory_bytes / parts * used_parts - others - factor_bytes(state_) - bytes_.inverses - bytes_.tables;
    return room < bytes_.vectors ? 0 : static_cast<index_t>(std::min<count_t>(room / bytes_.vectors, most_rhs));
}

template <class T>
std::string DeviceSolve<T>::why_not(const SolveOptions& options) const {
    if (!unfit_.empty()) return unfit_;
    if (has_second_passes(state_)) return "columns were set back by threshold pivoting";
    if (options.part != SolvePart::all) return "only whole solves run on the device";
    return "";
}

template <class T>
bool DeviceSolve<T>::pays() const {
    const auto factors = static_cast<double>(factor_bytes(state_));
    const double vectors = static_cast<double>(state_.analysis->order) * sizeof(T);
    return solve_seconds_on_device(rates(), factors, vectors, bytes_.phases) <
           solve_seconds_on_cores(rates(), factors, state_.session->cpu_workers());
}

template <class T>
typename DeviceSolve<T>::Lease DeviceSolve<T>::lease(index_t rhs) {
    Lease lease;
    // Before the lock: who releases holds takes the session's lock first, then this one.
    const count_t holds = state_.session->held_bytes(this), workspace = state_.session->workspace_bytes();
    if (rhs_that_fit(holds + workspace) == 0 && rhs_that_fit(holds) > 0) state_.session->keep_workspace(nullptr);
    const count_t others = holds + state_.session->workspace_bytes();
    lease.lock_ = std::unique_lock(mutex_, std::try_to_lock);
    if (!lease.lock_.owns_lock() || state_.session->holds_paused()) return lease;
    const index_t wanted = std::min(rhs_that_fit(others), std::clamp(rhs, least_rhs, most_rhs));
    if (wanted == 0 && solve_ == nullptr) return lease;
    if (solve_ == nullptr || solve_->largest_rhs() < wanted) {
        try {
            make_solve(wanted);
        } catch (const DeviceError&) {  // the session may keep the memory of earlier factors for the next ones
            state_.session->keep_parts({});
            make_solve(wanted);
        }
    }
    lease.solve_ = solve_.get();
    return lease;
}

/// That of earlier factors of the same analysis, if the session kept it; of others it goes.
template <class T>
bool DeviceSolve<T>::use_spare_solve() {
    const std::unique_ptr<DeviceWorkspace> kept = state_.session->take_spare_solve();
    auto* const spare = dynamic_cast<SpareSolve<T>*>(kept.get());
    if (spare == nullptr || spare->analysis != state_.analysis || spare->device != device_->device) return false;
    spare->solve->use(place());
    solve_ = std::move(spare->solve);
    return true;
}

/// With room for so many right-hand sides.
template <class T>
void DeviceSolve<T>::make_solve(index_t rhs) {
    try {
        if (solve_ == nullptr && !use_spare_solve())
            solve_ = std::make_unique<gpu::ResidentSolve<T>>(device_->device, device_->memory_node, place(), rhs);
        if (solve_->largest_rhs() < rhs) solve_->grow(rhs);
    } catch (...) {
        let_go();
        throw;
    }
    solve_bytes_ = factor_bytes(state_) + bytes_.inverses + bytes_.tables + solve_->largest_rhs() * bytes_.vectors;
    held_bytes_ = solve_bytes_ + solve_->system_bytes();
}

template <class T>
void DeviceSolve<T>::release_device() {
    const std::lock_guard lock(mutex_);
    leave_to_session();
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
            spare->bytes = held_bytes_ - factor_bytes(state_);
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
            std::copy(state_.subtrees[s].perm.begin(), state_.subtrees[s].perm.end(),
                      all.pivot_order.begin() + tree.fronts[at(subtree.first_front)].first_column);
    }
    return all;
}

#define FROND_INSTANTIATE(T) template class DeviceSolve<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
