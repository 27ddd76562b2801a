// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factor_on_device.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "data/held_factors.hpp"
#include "data/place_factors.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/rates.hpp"
#include "memory/memory_limit.hpp"
#include "session/parallel_for.hpp"
#include "submit/tree_workspace.hpp"

namespace frond::detail {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

/// Of the device's memory; the rest is for what else StarPU has there.
constexpr double usable_share = 0.8;
constexpr count_t copy_chunks = 16;

/// Real operations.
template <class T>
double flops_of(const FactorsState<T>& state) {
    return state.analysis->cost.flops * (is_complex<T> ? 4 : 1);
}

template <class T>
bool pays(const FactorsState<T>& state, const gpu::ResidentFactorization<T>& resident) {
    const double flops = flops_of(state) / relative_speed<T>;
    return tree_seconds_on_device(rates(), flops, resident.launches()) <
           tree_seconds_on_cores(rates(), flops, state.session->cpu_workers());
}

/// Bytes of the host that the factorization may take.
count_t host_room(const FactorOptions& options, HostHeap& pinned) {
    const count_t idle = options.memory_budget_bytes > 0 ? 0 : pinned.mapped_bytes() - pinned.used_bytes();
    return budget_bytes(options.memory_budget_bytes) + idle;
}

/// Empty when the tree can be tried on the device, else the reason why not.
template <class T>
std::string does_not_fit(const FactorsState<T>& state, const TreeWorkspace<T>& workspace,
                         const PeakPrediction& predicted, count_t room_bytes, const FactorOptions& options) {
    const count_t needed = bytes_on_device(workspace);
    if (needed > room_bytes) return "it needs " + std::to_string(needed) + " bytes there";
    const count_t on_host = bytes_on_host(workspace, predicted);
    const count_t room = host_room(options, state.session->pinned_heap()) - predicted.fixed_bytes;
    if (on_host > 0 && on_host > room)
        return "it needs " + std::to_string(on_host) + " bytes of the host for what does not fit there";
    return "";
}

template <class T>
void keep_pivot_orders(FactorsState<T>& state, const std::vector<index_t>& perm) {
    if (perm.empty()) return;
    for (std::size_t s = 0; s < state.subtrees.size(); ++s) {
        const index_t front = state.analysis->mapping.subtrees[s].first_front;
        const auto first = perm.begin() + state.analysis->tree.fronts[at(front)].first_column;
        std::copy_n(first, state.subtrees[s].perm.size(), state.subtrees[s].perm.begin());
    }
}

/// The largest magnitude of what is factored.
template <class T>
double send_values(const FactorsState<T>& state, gpu::ResidentFactorization<T>& resident) {
    const std::vector<T>& from = state.matrix->value;
    const auto count = static_cast<count_t>(from.size());
    T* const values = resident.host_values();
    parallel_for_on(*state.session)(copy_chunks, [&](count_t c) {
        std::copy(from.begin() + count * c / copy_chunks, from.begin() + count * (c + 1) / copy_chunks,
                  values + count * c / copy_chunks);
    });
    return resident.scale(state.matrix->pattern, state.scaling);
}

/// The factors' places, made.
template <class T>
std::vector<gpu::PlacedFront<T>> places(FactorsState<T>& state, const gpu::DevicePlace& device, bool on_host) {
    if (on_host) {
        place_factors_on_host(state);
        return factors_on_host(state);
    }
    place_factors_on_device(state, device.memory_node);
    return HeldFactors<T>(state, device).fronts();
}

template <class T>
void make_ready(const FactorsState<T>& state, TreeWorkspace<T>& workspace) {
    if (workspace.was_used) return;
    workspace.host_room = HostBlock(workspace.resident->host_bytes(), state.session->pinned_heap());
    workspace.resident->use_host_room(static_cast<T*>(workspace.host_room.data()));
    workspace.was_used = true;
}

template <class T>
bool factor(FactorsState<T>& state, const gpu::DevicePlace& device, TreeWorkspace<T>& workspace,
            const std::function<PivotRule()>& rule_of, PivotReport& pivots) {
    gpu::ResidentFactorization<T>& resident = *workspace.resident;
    make_ready(state, workspace);
    state.largest_entry = send_values(state, resident);
    if (!std::isfinite(state.largest_entry)) return false;  // tasks name the entry
    const PivotRule rule = rule_of();
    typename gpu::ResidentFactorization<T>::Answer answer;
    resident.start(rule, places(state, device, workspace.factors_on_host));
    try {  // for the first solve, meanwhile:
        state.system(Operation::none);
        state.device_solve().prepare();
    } catch (...) {
        resident.finish(rule, answer);  // before the factors' memory goes
        throw;
    }
    if (!resident.finish(rule, answer)) return false;
    keep_pivot_orders(state, answer.perm);
    pivots = answer.report;
    state.report.on_device = true;
    state.report.bytes_to_devices = static_cast<count_t>(state.matrix->value.size() * sizeof(T)) + workspace.host_room.bytes();
    state.report.bytes_from_devices = workspace.host_room.bytes() + resident.pivot_bytes();
    if (workspace.factors_on_host) state.report.bytes_from_devices += state.report.factor_bytes;
    state.device_solve().set_home_bytes(state.device_memory.bytes());
    state.report.front_seconds.assign(state.analysis->tree.fronts.size(), 0.0);
    return true;
}

}  // namespace

template <class T>
DeviceOutcome factor_on_device(FactorsState<T>& state, const PeakPrediction& predicted,
                               const std::function<PivotRule()>& rule_of, const FactorOptions& options,
                               PivotReport& pivots) {
    const auto start = std::chrono::steady_clock::now();
    const auto refuse = [&](const std::string& reason) {
        if (state.session->has_devices()) state.report.place_reason = reason;
        if (options.place == FactorPlace::device)
            throw InvalidArgument("factor_place = device, but " + reason + "; use automatic or tasks");
        return DeviceOutcome::tasks;
    };
    const bool cancelled = options.cancel != nullptr && options.cancel->load();
    if (cancelled) return DeviceOutcome::tasks;
    if (options.place == FactorPlace::tasks) return refuse("factor_place = tasks");
    if (!state.session->has_devices()) return refuse("the session has no device");
    const std::optional<gpu::DevicePlace> device = gpu::only_device();
    if (!device) return refuse("the session has several devices");
    if (state.analysis->order == 0) return refuse("the matrix is empty");
    const auto room_bytes = static_cast<count_t>(usable_share * static_cast<double>(device->memory_bytes)) -
                            state.session->held_bytes();
    auto workspace = tree_workspace(state, *device, room_bytes);
    const bool failed_before = workspace->resident == nullptr;
    const bool asked = options.place == FactorPlace::device || state.analysis->options.deterministic;
    const bool on_cores = !failed_before && !asked && !pays(state, *workspace->resident);
    const std::string reason = failed_before ? "a pivot of an earlier factorization failed there"
                               : on_cores    ? "cores are expected to be quicker"
                                             : does_not_fit(state, *workspace, predicted, room_bytes, options);
    if (!reason.empty()) {
        state.session->keep_workspace(std::move(workspace));
        state.session->keep_block({});  // tasks will want the room
        refuse(reason);
        return on_cores ? DeviceOutcome::cores : DeviceOutcome::tasks;
    }
    if (!workspace->factors_on_host) state.session->pinned_heap().trim();
    state.report.peak_bytes = predicted.fixed_bytes + bytes_on_host(*workspace, predicted);
    state.report.factor_bytes = predicted.factor_bytes;
    bool done = false;
    try {
        done = factor(state, *device, *workspace, rule_of, pivots);
    } catch (const DeviceError&) {  // no room, after all
        if (options.place == FactorPlace::device) throw;
        workspace.reset();  // half made; the next factorization may find room
    } catch (const OutOfMemory&) {  // that can be pinned
        if (options.place == FactorPlace::device || !workspace->factors_on_host) throw;
        workspace.reset();
    }
    if (!done) {
        state.drop_factors();
        if (workspace != nullptr && std::isfinite(state.largest_entry)) workspace->resident.reset();
    }
    state.session->keep_workspace(std::move(workspace));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (done && options.progress) options.progress({flops_of(state), flops_of(state), elapsed.count()});
    if (done) return DeviceOutcome::done;
    if (!std::isfinite(state.largest_entry)) return DeviceOutcome::tasks;
    return refuse("a pivot was too small or an |l_ij| too large");
}

#define FROND_INSTANTIATE(T)                                                                                \
    template DeviceOutcome factor_on_device<T>(FactorsState<T>&, const PeakPrediction&,                     \
                                               const std::function<PivotRule()>&, const FactorOptions&, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
