// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/trace_facts.hpp"

#include <algorithm>
#include <array>

namespace frond::cli {
namespace {

/// What there is of each kind of worker at one moment.
enum Counter : std::uint8_t { busy, in_overhead, in_transfer, ready_tasks, unsubmitted_tasks, copies, counters };

struct CounterChange {
    double time;
    int group;
    Counter counter;
    int by;
};

/// Counters from `begin` to `end`, as far as that lies in the phase.
class Changes {
public:
    explicit Changes(const TracePhase& phase) : phase_(phase) {}

    void add(double begin, double end, int group, Counter counter) {
        begin = std::max(begin, phase_.begin);
        end = std::min(end, phase_.end);
        if (begin >= end) return;
        all_.push_back({begin, group, counter, 1});
        all_.push_back({end, group, counter, -1});
    }

    std::vector<CounterChange> sorted() {
        std::sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
        return std::move(all_);
    }

private:
    TracePhase phase_;
    std::vector<CounterChange> all_;
};

/// [kind of task][kind of worker]: whether one ever ran there.
std::vector<std::vector<bool>> runs_on(const Trace& trace, const WorkerKinds& workers) {
    std::vector<std::vector<bool>> runs(trace.kinds.size(), std::vector<bool>(workers.names.size(), false));
    for (const TraceTask& task : trace.tasks)
        runs[static_cast<std::size_t>(task.kind)]
            [static_cast<std::size_t>(workers.of_worker[static_cast<std::size_t>(task.worker)])] = true;
    return runs;
}

std::vector<CounterChange> changes_of(const Trace& trace, const Readiness& readiness, const WorkerKinds& workers,
                                      const TracePhase& phase) {
    Changes changes(phase);
    const auto group_of = [&](int worker) { return workers.of_worker[static_cast<std::size_t>(worker)]; };
    const std::vector<std::vector<bool>> runs = runs_on(trace, workers);
    for (std::size_t t = 0; t < trace.tasks.size(); ++t) {
        const TraceTask& task = trace.tasks[t];
        changes.add(task.begin, task.end, group_of(task.worker), busy);
        for (std::size_t g = 0; g < workers.names.size(); ++g) {
            if (!runs[static_cast<std::size_t>(task.kind)][g]) continue;
            changes.add(readiness.ready[t], task.begin, static_cast<int>(g), ready_tasks);
            changes.add(readiness.free[t], readiness.ready[t], static_cast<int>(g), unsubmitted_tasks);
        }
    }
    for (const WorkerSpan& span : trace.states)
        changes.add(span.begin, span.end, group_of(span.worker),
                    span.state == StateClass::transfer ? in_transfer : in_overhead);
    for (const TraceTransfer& transfer : trace.transfers)
        for (std::size_t w = 0; w < trace.workers.size(); ++w)
            if (trace.workers[w].node == transfer.to && transfer.to != 0)
                changes.add(transfer.begin, transfer.end, group_of(static_cast<int>(w)), copies);
    return changes.sorted();
}

using Counts = std::array<int, counters>;

/// Shares of `workers` workers of one kind during `seconds`.
void add_moment(const Counts& now, int workers, double seconds, EfficiencySplit& split) {
    int left = workers;
    const auto take = [&left](int wanted) {
        const int taken = std::clamp(wanted, 0, left);
        left -= taken;
        return taken;
    };
    split.kernels += seconds * take(now[busy]);
    split.overhead += seconds * take(now[in_overhead]);
    split.transfers += seconds * take(now[in_transfer]);
    int ready = std::min(now[ready_tasks], left);
    const int waiting = take(std::min(ready, now[copies]));
    split.transfers += seconds * waiting;
    split.scheduler += seconds * take(ready - waiting);
    split.overhead += seconds * take(now[unsubmitted_tasks]);
    split.graph += seconds * left;
}

/// Seconds of work at the best rates, of what runs in the phase.
double useful_seconds(const Trace& trace, const WorkerKinds& workers, const TracePhase& phase) {
    double useful = 0;
    for (std::size_t g = 0; g < workers.names.size(); ++g) {
        std::vector<const TraceTask*> tasks;
        for (const TraceTask& task : trace.tasks)
            if (workers.of_worker[static_cast<std::size_t>(task.worker)] == static_cast<int>(g) &&
                task.begin < phase.end && task.end > phase.begin)
                tasks.push_back(&task);
        const double rate = best_rate(tasks);
        for (const TraceTask* task : tasks) {
            if (rate <= 0 || task->seconds() <= 0) continue;
            const double inside = std::min(task->end, phase.end) - std::max(task->begin, phase.begin);
            useful += inside * std::min(1.0, task->flops / rate / task->seconds());
        }
    }
    return useful;
}

}  // namespace

double best_rate(const std::vector<const TraceTask*>& tasks) {
    constexpr double share = 0.01;
    std::vector<std::pair<double, double>> rates;  // rate, flops
    double flops = 0;
    for (const TraceTask* task : tasks) {
        if (task->flops <= 0 || task->seconds() <= 0) continue;
        rates.emplace_back(task->flops / task->seconds(), task->flops);
        flops += task->flops;
    }
    std::sort(rates.rbegin(), rates.rend());
    double seen = 0;
    for (const auto& [rate, of_task] : rates)
        if ((seen += of_task) >= share * flops) return rate;
    return 0;
}

EfficiencySplit efficiency_of(const Trace& trace, const Readiness& readiness, const TracePhase& phase) {
    EfficiencySplit split;
    const WorkerKinds workers = worker_kinds(trace);
    const double area = (phase.end - phase.begin) * static_cast<double>(trace.workers.size());
    if (area <= 0) return split;
    std::vector<Counts> now(workers.names.size(), Counts{});
    double since = phase.begin;
    const auto pass = [&](double until) {
        for (std::size_t g = 0; g < now.size() && until > since; ++g)
            add_moment(now[g], workers.counts[g], until - since, split);
        since = until;
    };
    for (const CounterChange& change : changes_of(trace, readiness, workers, phase)) {
        pass(change.time);
        now[static_cast<std::size_t>(change.group)][change.counter] += change.by;
    }
    pass(phase.end);
    split.useful = std::min(useful_seconds(trace, workers, phase), split.kernels);
    split.kernels -= split.useful;
    for (double* share :
         {&split.useful, &split.kernels, &split.overhead, &split.transfers, &split.graph, &split.scheduler})
        *share /= area;
    return split;
}

}  // namespace frond::cli
