// SPDX-License-Identifier: BSD-3-Clause
#include "time_bounds.hpp"

#include "trace/analyze/bounds.hpp"

#include <algorithm>
#include <limits>

namespace frond::cli {
namespace {

/// Seconds a task; infinite: it cannot run there.
double mean_seconds(double seconds, count_t tasks) {
    return seconds < 0 ? std::numeric_limits<double>::infinity() : seconds / static_cast<double>(tasks);
}

}  // namespace

double TimeBounds::largest() const { return std::max({work, path, submission}); }

TimeBounds time_bounds(const SimulatedBounds& found, const SessionInfo& session) {
    AreaProblem area;
    const bool has_cores = session.cpu_workers > 0, has_cards = session.cuda_workers > 0;
    if (has_cores) area.workers.push_back(session.cpu_workers);
    if (has_cards) area.workers.push_back(session.cuda_workers);
    for (const auto& [kind, work] : found.work) {
        area.amount.push_back(static_cast<double>(work.tasks));
        std::vector<double>& cost = area.cost.emplace_back();
        if (has_cores) cost.push_back(mean_seconds(work.core_seconds, work.tasks));
        if (has_cards) cost.push_back(mean_seconds(work.card_seconds, work.tasks));
    }
    return {area_bound(area), found.path_seconds, found.submit_seconds};
}

}  // namespace frond::cli
