// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factor_tree.hpp"

#include <algorithm>
#include <cmath>

#include "factors/held_factors.hpp"
#include "factors/place_factors.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "session/parallel_for.hpp"
#include "handles/insert_task.hpp"

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

/// Values of the matrix to where the task reads them.
template <class T>
void send_values(const FactorsState<T>& state, TreeWorkspace<T>& workspace) {
    const std::vector<T>& from = state.matrix->value;
    const auto count = static_cast<count_t>(from.size());
    T* const values = workspace.resident->host_values();
    if (!workspace.values) workspace.values = DataHandle::vector(values, count);
    if (starpu_data_acquire_on_node(workspace.values.get(), STARPU_MAIN_RAM, STARPU_W) != 0)
        throw RuntimeError("StarPU cannot give the memory of a matrix's values");
    parallel_for_on (*state.session)(copy_chunks, [&](count_t c) {
        std::copy(from.begin() + count * c / copy_chunks, from.begin() + count * (c + 1) / copy_chunks,
                  values + count * c / copy_chunks);
    });
    starpu_data_release_on_node(workspace.values.get(), STARPU_MAIN_RAM);
}

/// The factors' places: in parts that the task writes, or on the host.
template <class T>
std::shared_ptr<const gpu::FrontFactorViewss<T>> places(FactorsState<T>& state, const gpu::Device& device,
                                                        TreeWorkspace<T>& workspace) {
    if (workspace.factors_on_host) {
        place_factors_on_host(state);
        return std::make_shared<const gpu::FrontFactorViewss<T>>(HeldFactors<T>::at_home(state, STARPU_MAIN_RAM));
    }
    state.parts = state.session->take_parts(device.memory_node, part_bytes(workspace));
    return {workspace.layout, &workspace.layout->fronts};
}

template <class T>
void submit_piece(Job& job, FactorsState<T>& state, const gpu::Device& device, TreeWorkspace<T>& workspace,
                  gpu::TreeRun<T>& run) {
    FactorPieceArguments a;
    a.tree = workspace.resident.get();
    a.run = &run;
    a.parts = static_cast<index_t>(state.parts.handles().size());
    a.flops = state.analysis->cost.flops * flops_per_real<T>;
    a.place = Place::device;
    a.worker = device.worker;
    std::vector<Access> accesses{{workspace.values.get(), STARPU_R}};
    for (const DataHandle& part : state.parts.handles()) accesses.push_back({part.get(), STARPU_W});
    insert_task(job, factor_piece_codelet<T>(), a, accesses, STARPU_MAX_PRIO);
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
bool factor_tree(FactorsState<T>& state, const gpu::Device& device, TreeWorkspace<T>& workspace,
                 const std::function<PivotRule()>& rule_of, PivotReport& pivots) {
    gpu::ResidentFactorization<T>& resident = *workspace.resident;
    make_ready(state, workspace);
    send_values(state, workspace);
    state.largest_entry = 1;
    gpu::TreeRun<T> run{&state.matrix->pattern,
                        state.scaling.get(),
                        rule_of(),
                        places(state, device, workspace),
                        workspace.factors_on_host,
                        nullptr,
                        {}};
    const bool is_first = workspace.failed.delayed() == 0 && workspace.search == gpu::PivotSearch::block;
    const bool is_likely = workspace.has_factored || is_first;
    Job job;
    submit_piece(job, state, device, workspace, run);
    try {
        if (is_likely) prepare_solve(state);
    } catch (...) {
        job.fail(std::current_exception());
    }
    job.wait();
    state.largest_entry = resident.largest_entry();
    typename gpu::ResidentFactorization<T>::Answer answer;
    workspace.has_factored = resident.finish(rule_of(), answer);
    if (!std::isfinite(state.largest_entry)) return false;  // tasks name the entry
    workspace.pivots_failed = !workspace.has_factored;
    if (workspace.pivots_failed) return false;
    if (!workspace.factors_on_host) {
        state.parts.hold();
        place_factors_in_parts(state);
    }
    if (!is_likely) prepare_solve(state);
    keep_pivot_orders(state, answer.perm);
    pivots = answer.report;
    pivots.delayed = workspace.failed.delayed();
    state.device_solve().set_home_bytes(state.parts.bytes());
    report_done(state, workspace);
    return true;
}

#define FROND_INSTANTIATE(T)                                                              \
    template bool factor_tree<T>(FactorsState<T>&, const gpu::Device&, TreeWorkspace<T>&, \
                                 const std::function<PivotRule()>&, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
