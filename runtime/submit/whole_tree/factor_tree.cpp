// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/factor_tree.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "engine/kind_of_run.hpp"
#include "frond/codelets/time_models.hpp"
#include "session/parallel_for.hpp"
#include "session/trace_span.hpp"
#include "submit/factorization_work.hpp"
#include "submit/pieces/submit_pieces.hpp"
#include "submit/whole_tree/core_pivots.hpp"
#include "submit/whole_tree/send_values.hpp"
#include "submit/whole_tree/tree_memory.hpp"
#include "substitution/device_solve.hpp"

namespace frond::detail {
namespace {

/// What is the same for all tasks.
template <class T>
gpu::TreeRun<T> begin_run(const FactorsState<T>& state, const TreeWorkspace<T>& workspace, const PivotRule& rule) {
    gpu::TreeRun<T> run{&state.system.matrix->pattern, state.system.scaling.get(), rule, {}, {}, {}, 0};
    run.places = {workspace.layout, &workspace.layout->fronts};
    run.is_on_host.push_back(0);  // no part
    for (const gpu::BlockRoom& room : workspace.resident->rooms().all()) run.is_on_host.push_back(room.on_host ? 1 : 0);
    for (const PartPlace& place : workspace.places) run.is_on_host.push_back(place.on_host ? 1 : 0);
    if (workspace.kept != nullptr) run.is_kept = workspace.kept->is_kept;
    run.most_block_copy_bytes = workspace.most_block_copy_bytes;
    run.block_copies = &state.session->pinned_heap();
    run.largest_elsewhere = state.rest_of_tree ? state.rest_of_tree->largest_entry : 0;
    return run;
}

/// For the first solve.
template <class T>
void prepare_solve(const FactorsState<T>& state) {
    const HostSpan span("prepare solve");
    if (state.rest_of_tree) {  // other ranks have the matrix
        if (!simulates()) static_cast<void>(state.device_solve());
        return;
    }
    const bool is_llt = state.kind() == Factorization::llt;  // for which it also scales the unknowns
    const HostWork work(is_llt ? "card prepare llt" : "card prepare", sizes_of_system(state));
    if (simulates()) return;
    if (!state.device_solve().prepare()) state.system.linear_system(Operation::none);
}

template <class T>
void report_done(FactorsState<T>& state, const TreeWorkspace<T>& workspace, count_t tasks) {
    const gpu::ResidentFactorization<T>& resident = *workspace.resident;
    FactorReport& report = state.report;
    report.place.on_device = true;
    report.place.devices_used = static_cast<index_t>(resident.used_devices());
    report.place.bytes_to_devices = count_values(state) * static_cast<count_t>(sizeof(T) * resident.used_devices()) +
                                    resident.host_traffic_bytes() + FactorParts::bytes_beside(workspace.places);
    report.place.bytes_from_devices =
        resident.host_traffic_bytes() + resident.pivot_bytes() + state.factors.parts.bytes_on_host();
    report.work.tasks = tasks;
    report.work.subtree_tasks = static_cast<count_t>(workspace.core_pivots.size());
    report.work.front_seconds = resident.front_seconds();
}

/// Factors and their report, after the tasks.
template <class T>
void end_run(FactorsState<T>& state, TreeWorkspace<T>& workspace, count_t tasks, std::vector<index_t>&& perm) {
    const HostSpan span("place factors");
    state.factors.parts.hold();
    state.factors.leave_units_in_parts(std::move(perm));
    if (!simulates() || !state.rest_of_tree)
        state.device_solve().set_home_bytes(state.factors.parts.bytes_on(workspace.devices.front().memory_node));
    report_done(state, workspace, tasks);
}

/// Sends the values, while memory is pinned.
template <class T>
void send_system(Job& job, const FactorsState<T>& state, TreeWorkspace<T>& workspace,
                 std::vector<UnreadyPart> unready) {
    const RestingWorkers rest(*state.session, !unready.empty());
    // Beside pinning, for which the driver lets others wait, tables take several times as long; and so do pieces.
    if (!unready.empty() || workspace.kept != nullptr) workspace.resident->be_ready();
    const PinBesideTasks pinning(job, std::move(unready));
    send_values(state, workspace);
}

/// Returns the number of tasks, which have ended.
template <class T>
count_t run_pieces(FactorsState<T>& state, TreeWorkspace<T>& workspace, const PivotRule& rule,
                   const std::atomic<bool>* cancel, bool prepares_solve, HostWork& start) {
    const gpu::TreeRun<T> run = begin_run(state, workspace, rule);
    std::optional<HostWork> beside_tasks;
    Job job(starpu_engine(), cancel);
    std::vector<UnreadyPart> unready = unready_parts(state, workspace);
    try {
        send_system(job, state, workspace, std::move(unready));
        start.end();
        beside_tasks.emplace(nullptr, TaskWork{});
        submit_pieces(job, state, workspace, run);
        if (prepares_solve) prepare_solve(state);
    } catch (...) {
        job.fail(std::current_exception());
    }
    job.wait();
    return job.submitted();
}

/// Takes the pivots of cards and cores, after the tasks. False: a pivot failed, or an entry is not finite.
template <class T>
bool take_pivots(FactorsState<T>& state, TreeWorkspace<T>& workspace, const std::function<PivotRule()>& rule_of,
                 typename gpu::ResidentFactorization<T>::Answer& answer) {
    gpu::ResidentFactorization<T>& resident = *workspace.resident;
    state.system.largest_entry = resident.largest_entry();
    const bool is_finite = std::isfinite(state.system.largest_entry);
    const PivotRule rule = rule_of();  // which follows that entry
    if (is_finite && !take_core_pivots(workspace, rule)) {
        workspace.failed_on_cores = true;
        return false;
    }
    if (workspace.kept != nullptr)
        for (const auto& [piece, known] : workspace.kept->pivots) resident.put_pivots(piece, known);
    workspace.has_factored = resident.finish(rule, parallel_for_on(*state.session, "pivots"), answer);
    if (!is_finite) return false;  // tasks name the entry
    workspace.pivots_failed = !workspace.has_factored;
    return workspace.has_factored;
}

}  // namespace

template <class T>
bool factor_tree(FactorsState<T>& state, TreeWorkspace<T>& workspace, const std::function<PivotRule()>& rule_of,
                 const std::atomic<bool>* cancel, PivotReport& pivots) {
    HostWork start("card start", sizes_of_system(state));
    state.system.largest_entry = 1;
    const bool is_first = workspace.failed.delayed() == 0 && !workspace.failed.searches();
    const bool is_likely = workspace.has_factored || is_first;
    take_memory(state, workspace);
    const count_t tasks = run_pieces(state, workspace, rule_of(), cancel, is_likely, start);
    const HostWork finish(state.kind() == Factorization::llt ? "card finish llt" : "card finish",
                          sizes_of_system(state));
    if (simulates()) {
        report_done(state, workspace, tasks);
        return true;
    }
    typename gpu::ResidentFactorization<T>::Answer answer;
    if (!take_pivots(state, workspace, rule_of, answer)) return false;
    if (!is_likely) prepare_solve(state);
    end_run(state, workspace, tasks, std::move(answer.perm));
    pivots = answer.report;
    for (const cpu::PiecePivots<T>& of_core : workspace.core_pivots)
        pivots.largest_l = std::max(pivots.largest_l, of_core.report.largest_l);
    pivots.delayed = workspace.failed.delayed();
    return true;
}

#define FROND_INSTANTIATE(T)                                                                             \
    template bool factor_tree<T>(FactorsState<T>&, TreeWorkspace<T>&, const std::function<PivotRule()>&, \
                                 const std::atomic<bool>*, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
