// SPDX-License-Identifier: BSD-3-Clause
// Which part of a span of time a trace has a name for.
#pragma once

#include "traced_tasks.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace frond::test {

/// Milliseconds of the trace.
struct Interval {
    double begin = 0, end = 0;
};

/// In which some task of Frond ran, or its calling thread did something that has a name ("host NAME us T").
inline std::vector<Interval> named_intervals(const TracedChild& child) {
    std::vector<Interval> named;
    for (const TracedTask& task : child.tasks())
        named.push_back({std::stod(task.at("StartTime")), std::stod(task.at("EndTime"))});
    for (const TracedEvent& event : child.timed_events()) {
        const std::size_t us = event.text.rfind(" us ");
        if (event.text.starts_with("host ") && us != std::string::npos)
            named.push_back({event.milliseconds - std::stod(event.text.substr(us + 4)) / 1000, event.milliseconds});
    }
    std::sort(named.begin(), named.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    return named;
}

/// In which tasks of a job ran or waited for a worker, those of loops over chunks apart: between two of them a busy machine
/// has gaps that say nothing of names.
inline Interval task_phase(const std::vector<TracedTask>& tasks, const Interval& span) {
    Interval phase{span.end, span.begin};
    for (const TracedTask& task : tasks) {
        const double submitted = std::stod(task.at("SubmitTime")), end = std::stod(task.at("EndTime"));
        if (task.at("Name").starts_with("host_chunk") || submitted < span.begin || end > span.end) continue;
        phase = {std::min(phase.begin, submitted), std::max(phase.end, end)};
    }
    return phase;
}

/// From each event "NAME begins" to the next "NAME ends".
inline std::vector<Interval> spans(const TracedChild& child, const std::string& name) {
    std::vector<Interval> all;
    for (const TracedEvent& event : child.timed_events()) {
        if (event.text == name + " begins") all.push_back({event.milliseconds, event.milliseconds});
        if (event.text == name + " ends" && !all.empty()) all.back().end = event.milliseconds;
    }
    return all;
}

/// What is left of the span.
inline std::vector<Interval> gaps(const std::vector<Interval>& named, const Interval& span) {
    std::vector<Interval> left;
    double until = span.begin;
    for (const Interval& one : named) {
        if (one.begin > until && until < span.end) left.push_back({until, std::min(one.begin, span.end)});
        until = std::max(until, one.end);
    }
    if (until < span.end) left.push_back({until, span.end});
    return left;
}

/// In [0, 1]: of the span, how much tasks and named work of the calling thread cover.
inline double named_share(const std::vector<Interval>& named, const Interval& span) {
    double unnamed = 0;
    for (const Interval& gap : gaps(named, span)) unnamed += gap.end - gap.begin;
    return 1 - unnamed / (span.end - span.begin);
}

/// The same with the phase of the tasks as one. The largest of all spans of that name, since others use the machine, too.
inline double best_share(const TracedChild& child, const std::string& name) {
    const std::vector<TracedTask> tasks = child.tasks();
    std::vector<Interval> named = named_intervals(child);
    const std::vector<Interval> all = spans(child, name);
    for (const Interval& span : all)
        if (const Interval phase = task_phase(tasks, span); phase.begin < phase.end) named.push_back(phase);
    std::sort(named.begin(), named.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    double best = 0;
    for (const Interval& span : all) best = std::max(best, named_share(named, span));
    return best;
}

}  // namespace frond::test
