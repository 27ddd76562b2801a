// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/factor_solve.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <shared_mutex>
#include <utility>

#include "factors/other_ranks.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "session/trace_span.hpp"
#include "substitution/branches/ready_branches.hpp"
#include "substitution/device_solve.hpp"
#include "substitution/tree/shared_plan.hpp"
#include "substitution/tree/shared_substitution.hpp"

namespace frond::detail {

template <class T>
FactorSolve<T>::FactorSolve(const FactorsState<T>& state, const SolveOptions& options)
    : state_(state), options_(options), order_(state, options), place_(options.place) {
    if (place_ != SolvePlace::device) return;
    const std::string reason =
        !state.factors.ownership.is_alone() ? "several ranks share the factors" : state.device_solve().why_not(options);
    if (!reason.empty()) throw InvalidArgument("place = device, but " + reason + "; use automatic or host");
}

template <class T>
void FactorSolve<T>::substitute_with_ranks(index_t rhs) {
    OtherRanks<T>* const others = OtherRanks<T>::of_this_thread();
    if (others == nullptr)
        throw InvalidArgument(
            "several ranks have these factors, which work together in calls of their Solver alone: "
            "use Solver::solve, condition or null_vectors on all of them");
    const index_t n = state_.analysis->order;
    const DenseView<T> x{static_cast<T*>(work_.data()), n, rhs, n};
    SharedSolve solve{operation(), options_.part, place_, block_columns()};
    SubstitutionLoad sizes = load(rhs);
    sizes.cores *= state_.factors.ownership.share->ranks();
    solve.group_scalars = group_scalars_on_ranks(plan(rhs), sizes, rates());
    Job job(state_.session->engine(), options_.cancel);
    job.set_iteration(substitutions_++);
    ReadyBranches<T> branches;
    std::optional<SharedSubstitution<T>> own;
    std::exception_ptr error;
    const auto noting = [&](const auto& step) {
        try {
            step();
        } catch (...) {
            error = std::current_exception();
        }
    };
    const std::int64_t number = others->begin_substitution(state_, solve, x);
    noting([&] {
        branches = ready_branches(state_.factors, solve, rhs);
        own.emplace(state_.factors, solve, x, job, branches.of_device());
    });
    place_on_ranks_ = others->agree(std::exchange(error, nullptr), branches.place);
    on_device_ = on_device_ || place_on_ranks_.place == BranchPlace::device;
    {
        const JobWatch<OtherRanks<T>> watch(*others, job, number);
        noting([&] { own->run(); });
    }
    others->end_substitution(state_, solve, std::move(error), x);
}

template <class T>
void FactorSolve<T>::substitute(index_t rhs) {
    if (!state_.factors.ownership.is_alone()) return substitute_with_ranks(rhs);
    const Analysis& analysis = *state_.analysis;
    const index_t block = block_columns();
    const Operation op = operation();
    const SubstitutionPlan& chosen = plan(rhs);
    const std::shared_lock lock(state_.factors.place_mutex);
    const bool alone = chosen.way == SubstitutionWay::alone;
    const HostSpan span(alone ? "substitution" : nullptr);
    const JobGuard guard(*state_.session, alone ? Workers::resting : Workers::awake);
    WorkspacePool workspaces(Substitution<T>::workspace_bytes(analysis, std::min(block, rhs)));
    Job job(alone ? at_once_engine() : state_.session->engine(), options_.cancel);
    job.set_iteration(substitutions_++);
    // The blocks' handles and tables must outlive the tasks, the job must outlive both.
    std::deque<Substitution<T>> blocks;
    const SolvePart part = options_.part;
    try {
        for (index_t first = 0; first < rhs; first += block) {
            T* start = static_cast<T*>(work_.data()) + static_cast<count_t>(first) * analysis.order;
            const DenseView<T> x{start, analysis.order, std::min(block, rhs - first), analysis.order};
            HostSpan registering(alone ? nullptr : "register vectors");
            Substitution<T>& s = blocks.emplace_back(state_.factors, chosen, op, x, job, workspaces);
            registering.end();
            if (part == SolvePart::all || part == SolvePart::forward) s.forward();
            if (part == SolvePart::all || part == SolvePart::diagonal) s.diagonal();
            if (part == SolvePart::all || part == SolvePart::backward) s.backward();
            if (alone) blocks.clear();
        }
    } catch (...) {
        job.fail(std::current_exception());
    }
    job.wait();
    const HostSpan releasing(alone ? nullptr : "release vectors");
    blocks.clear();
}

template <class T>
void FactorSolve<T>::apply_on_host(DenseView<T> x) {
    const count_t bytes = static_cast<count_t>(x.rows) * x.cols * static_cast<count_t>(sizeof(T));
    if (work_.bytes() < bytes) work_ = HostBlock(bytes);
    order_.bring_in(x.as_const(), static_cast<T*>(work_.data()));
    substitute(x.cols);
    order_.bring_out(static_cast<const T*>(work_.data()), x);
}

template <class T>
bool FactorSolve<T>::wants_device() const {
    if (place_ == SolvePlace::host || !state_.factors.ownership.is_alone() || !state_.session->has_devices())
        return false;
    if (place_ == SolvePlace::device) return true;
    const DeviceSolve<T>& device = state_.device_solve();
    // A deterministic run has each kind of work on the device where it can be.
    return device.why_not(options_).empty() && (state_.analysis->options.deterministic || device.pays());
}

template <class T>
index_t FactorSolve<T>::apply_on_device(DenseView<T> x) {
    index_t done = 0;
    const JobGuard guard(*state_.session);
    try {
        const auto lease = state_.device_solve().lease(x.cols, place_);
        gpu::ResidentSolve<T>* const device = lease.get();
        if (device == nullptr) return 0;
        state_.device_solve().choose(*device, options_.operation);
        while (done < x.cols) {
            if (options_.cancel != nullptr && options_.cancel->load()) throw Cancelled("the solve was cancelled");
            const auto part = x.block(0, done, x.rows, std::min(device->largest_rhs(), x.cols - done));
            order_.bring_in(part.as_const(), device->host_vectors());
            state_.device_solve().run(part.cols, [&] { device->solve(part.cols); });
            order_.bring_out(device->host_vectors(), part);
            done += part.cols;
        }
        on_device_ = true;
    } catch (const DeviceError&) {  // no room, mostly: cores need none
        if (place_ == SolvePlace::device) throw;
        state_.device_solve().abandon();
        stay_on_host();
    }
    return done;
}

template <class T>
void FactorSolve<T>::apply(DenseView<T> x) {
    if (x.rows == 0 || x.cols == 0) return;
    const auto start = std::chrono::steady_clock::now();
    const index_t done = wants_device() ? apply_on_device(x) : 0;
    if (done < x.cols) apply_on_host(x.block(0, done, x.rows, x.cols - done));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    seconds_ += elapsed.count();
    iteration_.set(substitutions_);
}

#define FROND_INSTANTIATE(T) template class FactorSolve<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
