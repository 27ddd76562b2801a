// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/shared_plan.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// A task that takes so many times what a task costs need not be larger. Twice as many as in one process: the thread that
/// submits, the worker, and the thread for messages of each rank are more than it has cores.
constexpr double largest_shared_group_tasks = 40, smallest_shared_group_tasks = 8;

constexpr double shared_sweeps = 2;

/// The scalars of each unit with all below it.
struct ScalarsBelow {
    count_t scalars = 0;
    index_t first = 0;  // of these units
    bool is_of_one_rank = true;
};

std::vector<ScalarsBelow> sums_below(const std::vector<PlannedUnit>& units, const TreeShare& share) {
    std::vector<ScalarsBelow> below(units.size());
    for (std::size_t u = 0; u < below.size(); ++u) below[u].first = static_cast<index_t>(u);
    for (std::size_t u = 0; u < below.size(); ++u) {
        const PlannedUnit& unit = units[u];
        below[u].scalars += unit.scalars;
        below[u].is_of_one_rank = below[u].is_of_one_rank && !share.has_shared_tiles(unit.front);
        if (unit.parent < 0) continue;
        ScalarsBelow& parent = below[at(unit.parent)];
        parent.scalars += below[u].scalars;
        parent.first = std::min(parent.first, below[u].first);
        parent.is_of_one_rank = parent.is_of_one_rank && below[u].is_of_one_rank &&
                                share.owner(unit.front) == share.owner(units[at(unit.parent)].front);
    }
    return below;
}

}  // namespace

SubstitutionPlan plan_on_ranks(const Analysis& analysis, const TreeShare& share, count_t group_scalars) {
    SubstitutionPlan plan{SubstitutionWay::units, plan_units(analysis), {}};
    if (group_scalars <= 0) return plan;
    plan.way = SubstitutionWay::groups;
    const std::vector<ScalarsBelow> below = sums_below(plan.units, share);
    const auto is_whole = [&](index_t u) {
        return below[at(u)].is_of_one_rank && below[at(u)].scalars <= group_scalars;
    };
    for (index_t u = 0; u < static_cast<index_t>(below.size()); ++u) {
        const PlannedUnit& unit = plan.units[at(u)];
        const bool whole = is_whole(u);
        if (whole && unit.parent >= 0 && is_whole(unit.parent)) continue;
        const bool alone = unit.subtree >= 0 || unit.scalars <= group_scalars;
        if (!whole && (!alone || share.has_shared_tiles(unit.front))) continue;
        const index_t first = whole ? below[at(u)].first : u;
        for (index_t v = first; v <= u; ++v) plan.units[at(v)].group = static_cast<index_t>(plan.groups.size());
        plan.groups.push_back({first, u});
    }
    return plan;
}

count_t group_scalars_on_ranks(const SubstitutionPlan& units, const SubstitutionLoad& load, const Rates& rates) {
    count_t all = 0;
    for (const PlannedUnit& unit : units.units) all += unit.scalars;
    const double scalar_seconds = static_cast<double>(load.scalar_bytes) / rates.core_read_bytes +
                                  load.rhs * load.flops_per_product / rates.core_flops;
    const double share = static_cast<double>(all) / (shared_sweeps * 2 * load.cores),
                 of_task = rates.core_task_seconds / scalar_seconds;
    return std::max<count_t>(1, static_cast<count_t>(std::clamp(share, smallest_shared_group_tasks * of_task,
                                                                largest_shared_group_tasks * of_task)));
}

}  // namespace frond::detail
