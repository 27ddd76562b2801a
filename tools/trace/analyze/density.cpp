// SPDX-License-Identifier: BSD-3-Clause
#include "trace/analyze/density.hpp"

#include <algorithm>
#include <cmath>

namespace frond::cli {
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
