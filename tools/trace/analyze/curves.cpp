// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/curves.hpp"

#include "trace/analyze/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace frond::cli {

int TimeParts::part_of(double time) const {
    if (width() <= 0) return 0;
    return static_cast<int>(std::clamp(std::floor((time - begin) / width()), 0.0, static_cast<double>(count - 1)));
}

void add_interval(std::vector<double>& parts, const TimeParts& time, double begin, double end, double weight) {
    begin = std::max(begin, time.begin);
    end = std::min(end, time.end);
    if (begin >= end) return;
    const int first = time.part_of(begin), last = time.part_of(end);
    for (int p = first; p <= last; ++p) {
        const double from = std::max(begin, time.begin + p * time.width());
        const double to = p == last ? end : std::min(end, time.begin + (p + 1) * time.width());
        parts[static_cast<std::size_t>(p)] += weight * std::max(0.0, to - from) / time.width();
    }
}

std::vector<double> ready_curve(const Trace& trace, const Readiness& readiness, const TimeParts& time) {
    std::vector<double> parts(static_cast<std::size_t>(time.count), 0.0);
    for (std::size_t t = 0; t < trace.tasks.size(); ++t)
        add_interval(parts, time, readiness.ready[t], trace.tasks[t].begin);
    return parts;
}

std::vector<std::vector<std::vector<double>>> running_curves(const Trace& trace, const TimeParts& time) {
    const WorkerKinds workers = worker_kinds(trace);
    const std::vector<std::vector<double>> none(trace.kinds.size(),
                                                std::vector<double>(static_cast<std::size_t>(time.count), 0.0));
    std::vector<std::vector<std::vector<double>>> curves(workers.names.size(), none);
    for (const TraceTask& task : trace.tasks) {
        const int group = workers.of_worker[static_cast<std::size_t>(task.worker)];
        add_interval(curves[static_cast<std::size_t>(group)][static_cast<std::size_t>(task.kind)], time, task.begin,
                     task.end);
    }
    return curves;
}

std::vector<std::vector<double>> memory_curves(const Trace& trace, const TimeParts& time) {
    std::vector<std::vector<double>> curves(trace.nodes.size(),
                                            std::vector<double>(static_cast<std::size_t>(time.count), 0.0));
    std::vector<double> bytes(trace.nodes.size(), 0.0);
    std::vector<int> reached(trace.nodes.size(), 0);  // the part that the last sample fell into
    const auto hold = [&](std::size_t node, int until) {
        for (int p = reached[node]; p <= until; ++p) {
            double& most = curves[node][static_cast<std::size_t>(p)];
            most = std::max(most, bytes[node]);
        }
        reached[node] = until;
    };
    for (const MemorySample& sample : trace.memory) {
        const auto node = static_cast<std::size_t>(sample.node);
        if (sample.node < 0 || node >= curves.size() || sample.time >= time.end) continue;
        hold(node, time.part_of(sample.time));
        bytes[node] = sample.bytes;
    }
    for (std::size_t node = 0; node < curves.size(); ++node) hold(node, time.count - 1);
    return curves;
}

std::map<std::pair<int, int>, std::vector<double>> link_curves(const Trace& trace, const TimeParts& time) {
    std::map<std::pair<int, int>, std::vector<double>> curves;
    for (const TraceTransfer& transfer : trace.transfers) {
        std::vector<double>& curve = curves[{transfer.from, transfer.to}];
        curve.resize(static_cast<std::size_t>(time.count), 0.0);
        add_interval(curve, time, transfer.begin, transfer.end, transfer.bytes / (transfer.end - transfer.begin));
    }
    return curves;
}

namespace {

/// Gathers the tasks of one worker part by part, in ascending order.
class PartGatherer {
public:
    PartGatherer(DensityLevel& level, std::size_t worker, std::size_t kinds)
        : level_(level), offset_(worker * static_cast<std::size_t>(level.parts)), share_(kinds, 0.0) {}

    void add(int part, int kind, double share) {
        if (part != part_) finish();
        part_ = part;
        share_[static_cast<std::size_t>(kind)] += share;
    }

    void finish() {
        if (part_ < 0) return;
        const auto most = std::max_element(share_.begin(), share_.end());
        double busy = 0;
        for (const double share : share_) busy += share;
        const std::size_t place = offset_ + static_cast<std::size_t>(part_);
        level_.kind[place] = static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(most - share_.begin(), 254));
        level_.busy[place] = static_cast<std::uint8_t>(std::lround(255 * std::min(busy, 1.0)));
        std::fill(share_.begin(), share_.end(), 0.0);
        part_ = -1;
    }

private:
    DensityLevel& level_;
    std::size_t offset_;
    int part_ = -1;
    std::vector<double> share_;
};

DensityLevel density_level(const Trace& trace, const TimeParts& time) {
    DensityLevel level;
    level.parts = time.count;
    const std::size_t size = trace.workers.size() * static_cast<std::size_t>(time.count);
    level.kind.assign(size, 255);
    level.busy.assign(size, 0);
    std::vector<PartGatherer> gatherers;
    for (std::size_t w = 0; w < trace.workers.size(); ++w) gatherers.emplace_back(level, w, trace.kinds.size());
    for (const TraceTask& task : trace.tasks) {
        PartGatherer& gatherer = gatherers[static_cast<std::size_t>(task.worker)];
        for (int p = time.part_of(task.begin); p <= time.part_of(task.end); ++p) {
            const double from = std::max(task.begin, time.begin + p * time.width());
            const double to = std::min(task.end, time.begin + (p + 1) * time.width());
            if (to > from) gatherer.add(p, task.kind, (to - from) / time.width());
        }
    }
    for (PartGatherer& gatherer : gatherers) gatherer.finish();
    return level;
}

}  // namespace

std::vector<DensityLevel> density_levels(const Trace& trace, double end, bool tasks_missing) {
    std::vector<DensityLevel> levels;
    for (const int parts : {1024, 4096, 16384})
        if (tasks_missing || trace.tasks.size() > trace.workers.size() * static_cast<std::size_t>(parts))
            levels.push_back(density_level(trace, {0, end, parts}));
    return levels;
}

}  // namespace frond::cli
