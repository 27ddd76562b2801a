// SPDX-License-Identifier: BSD-3-Clause
// Curves over the time of a trace, as means or maxima of equal parts of it, so that their size does not follow the
// number of tasks.
#pragma once

#include "trace/analyze/task_order.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace frond::cli {

/// [begin, end) in equal parts.
struct TimeParts {
    double begin = 0, end = 0;
    int count = 1;

    double width() const { return (end - begin) / count; }
    int part_of(double time) const;
};

/// Adds weight x (seconds of [begin, end) in the part) / width to each part.
void add_interval(std::vector<double>& parts, const TimeParts& time, double begin, double end, double weight = 1);

/// Mean number of ready tasks that have not begun.
std::vector<double> ready_curve(const Trace& trace, const Readiness& readiness, const TimeParts& time);

/// Mean number of workers in a task, by kind of worker and kind of task.
std::vector<std::vector<std::vector<double>>> running_curves(const Trace& trace, const TimeParts& time);

/// Most bytes in use in each part, by memory node.
std::vector<std::vector<double>> memory_curves(const Trace& trace, const TimeParts& time);

/// Bytes per second from one node to another.
std::map<std::pair<int, int>, std::vector<double>> link_curves(const Trace& trace, const TimeParts& time);

/// A level of detail: the workers' time in equal parts. [worker * parts + part]
struct DensityLevel {
    int parts = 0;
    std::vector<std::uint8_t> kind;  // of which the part has most; none: 255
    std::vector<std::uint8_t> busy;  // share of the part that is in tasks, 0 .. 255
};

/// Levels for a trace from 0 to `end`: 1024 parts, 4096 and 16384, as long as a worker has more tasks than parts on
/// average; all of them where tasks are missing next to them.
std::vector<DensityLevel> density_levels(const Trace& trace, double end, bool tasks_missing);

}  // namespace frond::cli
