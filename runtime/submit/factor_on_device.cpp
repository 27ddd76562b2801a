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
#include "session/parallel_for.hpp"
#include "submit/tree_workspace.hpp"

namespace frond::detail {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

constexpr count_t copy_chunks = 16;

/// Real operations.
template <class T>
double flops_of(const FactorsState<T>& state) {
    return state.analysis->cost.flops * (is_complex<T> ? 4 : 1);
}

/// What goes to the host and back is pinned: several times as quick as rates() say of the link.
template <class T>
bool pays(const FactorsState<T>& state, const TreeWorkspace<T>& workspace, const PeakPrediction& predicted) {
    constexpr double pinned_speed = 5;
    const double flops = flops_of(state) / relative_speed<T>;
    const double on_host = workspace.resident == nullptr ? 0.0 : static_cast<double>(bytes_on_host(workspace, predicted));
    return tree_seconds_on_device(rates(), flops, workspace.launches) + on_host / (pinned_speed * rates().link_bytes) <
           tree_seconds_on_cores(rates(), flops, state.session->cpu_workers());
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
        return HeldFactors<T>::at_home(state, STARPU_MAIN_RAM);
    }
    place_factors_on_device(state, device.memory_node);
    return HeldFactors<T>::at_home(state, device.memory_node);
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
    state.report.devices_used = static_cast<index_t>(resident.used_devices());
    state.report.bytes_to_devices =
        static_cast<count_t>(state.matrix->value.size() * sizeof(T) * resident.used_devices()) + resident.host_traffic_bytes();
    state.report.bytes_from_devices = resident.host_traffic_bytes() + resident.pivot_bytes();
    if (workspace.factors_on_host) state.report.bytes_from_devices += state.report.factor_bytes;
    state.device_solve().set_home_bytes(state.device_memory.bytes());
    state.report.front_seconds.assign(state.analysis->tree.fronts.size(), 0.0);
    return true;
}

/// Empty when it is done, else why not; state has no factors then, and the device no memory of them.
template <class T>
std::string try_there(FactorsState<T>& state, const gpu::DevicePlace& device, std::unique_ptr<TreeWorkspace<T>>& workspace,
                      const std::function<PivotRule()>& rule_of, bool must, PivotReport& pivots) {
    const bool on_host = workspace->factors_on_host;
    std::string reason = "a pivot was too small or an |l_ij| too large";
    try {
        // A block of another size would be in the way of the tables.
        state.session->keep_block(on_host ? DeviceBlock()
                                          : state.session->take_block(device.memory_node,
                                                                      factor_bytes_on_device<T>(*state.analysis)));
        if (factor(state, device, *workspace, rule_of, pivots)) return "";
        if (std::isfinite(state.largest_entry)) {
            workspace->resident.reset();
            workspace->host_room.release();
        }
    } catch (const DeviceError& error) {  // no room, after all
        if (must) throw;
        reason = error.what();
        workspace.reset();  // half made; the next factorization may find room
    } catch (const OutOfMemory& error) {  // that can be pinned
        if (must || !on_host) throw;
        reason = error.what();
        workspace.reset();
    }
    state.drop_factors();
    state.session->keep_block({});
    return reason;
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
    const std::vector<gpu::DevicePlace> devices = gpu::devices();
    if (devices.empty()) return refuse("StarPU has no worker for the session's devices");
    if (state.analysis->order == 0) return refuse("the matrix is empty");
    const count_t room_bytes = room_of(devices.front()) - state.session->held_bytes();
    auto workspace = tree_workspace(state, devices, room_bytes);
    const bool asked = options.place == FactorPlace::device || state.analysis->options.deterministic;
    const bool on_cores = !asked && !pays(state, *workspace, predicted);
    std::string reason = on_cores                         ? "cores are expected to be quicker"
                         : workspace->resident == nullptr ? "a pivot of an earlier factorization failed there"
                                                          : does_not_fit(*workspace, *state.session, predicted, room_bytes,
                                                                         options.memory_budget_bytes);
    if (!reason.empty()) {  // the room is for others
        if (workspace->was_used && workspace->resident != nullptr) workspace.reset();
        state.session->keep_workspace(std::move(workspace));
        state.session->keep_block({});
        refuse(reason);
        return on_cores ? DeviceOutcome::cores : DeviceOutcome::tasks;
    }
    if (!workspace->factors_on_host) state.session->pinned_heap().trim();
    state.report.peak_bytes = predicted.fixed_bytes + bytes_on_host(*workspace, predicted);
    state.report.factor_bytes = predicted.factor_bytes;
    state.largest_entry = 0;
    const bool must = options.place == FactorPlace::device, several = workspace->resident->used_devices() > 1;
    reason = try_there(state, devices.front(), workspace, rule_of, must && !several, pivots);
    if (several && workspace == nullptr) {  // another device may be in use
        workspace = tree_workspace(state, {devices.front()}, room_bytes);
        workspace->offered = devices.size();
        state.report.peak_bytes = predicted.fixed_bytes + bytes_on_host(*workspace, predicted);
        reason = does_not_fit(*workspace, *state.session, predicted, room_bytes, options.memory_budget_bytes);
        if (reason.empty()) reason = try_there(state, devices.front(), workspace, rule_of, must, pivots);
    }
    state.session->keep_workspace(std::move(workspace));
    if (!std::isfinite(state.largest_entry)) return DeviceOutcome::tasks;
    if (!reason.empty()) return refuse(reason);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (options.progress) options.progress({flops_of(state), flops_of(state), elapsed.count()});
    return DeviceOutcome::done;
}

#define FROND_INSTANTIATE(T)                                                                                \
    template DeviceOutcome factor_on_device<T>(FactorsState<T>&, const PeakPrediction&,                     \
                                               const std::function<PivotRule()>&, const FactorOptions&, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
