// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factor_tree.hpp"

#include <algorithm>
#include <cmath>

#include "data/held_factors.hpp"
#include "data/place_factors.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {
namespace {

constexpr count_t copy_chunks = 16;

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
    parallel_for_on (*state.session)(copy_chunks, [&](count_t c) {
        std::copy(from.begin() + count * c / copy_chunks, from.begin() + count * (c + 1) / copy_chunks,
                  values + count * c / copy_chunks);
    });
    return resident.scale(state.matrix->pattern, *state.scaling);
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

/// For the first solve.
template <class T>
void prepare_solve(const FactorsState<T>& state) {
    if (!state.device_solve().prepare()) state.system(Operation::none);
}

template <class T>
void report_done(FactorsState<T>& state, const TreeWorkspace<T>& workspace) {
    const gpu::ResidentFactorization<T>& resident = *workspace.resident;
    FactorReport& report = state.report;
    report.place.on_device = true;
    report.place.devices_used = static_cast<index_t>(resident.used_devices());
    report.place.bytes_to_devices =
        static_cast<count_t>(state.matrix->value.size() * sizeof(T) * resident.used_devices()) +
        resident.host_traffic_bytes();
    report.place.bytes_from_devices = resident.host_traffic_bytes() + resident.pivot_bytes();
    if (workspace.factors_on_host) report.place.bytes_from_devices += report.memory.factor_bytes;
    report.work.front_seconds.assign(state.analysis->tree.fronts.size(), 0.0);
}

}  // namespace

template <class T>
bool factor_tree(FactorsState<T>& state, const gpu::DevicePlace& device, TreeWorkspace<T>& workspace,
                 const std::function<PivotRule()>& rule_of, PivotReport& pivots) {
    gpu::ResidentFactorization<T>& resident = *workspace.resident;
    make_ready(state, workspace);
    state.largest_entry = send_values(state, resident);
    if (!std::isfinite(state.largest_entry)) return false;  // tasks name the entry
    const PivotRule rule = rule_of();
    typename gpu::ResidentFactorization<T>::Answer answer;
    const bool is_first = workspace.failed.delayed() == 0 && workspace.search == gpu::PivotSearch::block;
    const bool is_likely = workspace.has_factored || is_first;
    resident.start(rule, places(state, device, workspace.factors_on_host), workspace.factors_on_host);
    try {
        if (is_likely) prepare_solve(state);
    } catch (...) {
        resident.finish(rule, answer);  // before the factors' memory goes
        throw;
    }
    workspace.has_factored = resident.finish(rule, answer);
    workspace.pivots_failed = !workspace.has_factored;
    if (workspace.pivots_failed) return false;
    if (!is_likely) prepare_solve(state);
    keep_pivot_orders(state, answer.perm);
    pivots = answer.report;
    pivots.delayed = workspace.failed.delayed();
    state.device_solve().set_home_bytes(state.device_memory.bytes());
    report_done(state, workspace);
    return true;
}

#define FROND_INSTANTIATE(T)                                                                   \
    template bool factor_tree<T>(FactorsState<T>&, const gpu::DevicePlace&, TreeWorkspace<T>&, \
                                 const std::function<PivotRule()>&, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
