// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/substitution_plan.hpp"

#include <algorithm>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

constexpr double sweeps = 2;
/// A task of a group that takes so many times what a task costs need not be larger.
constexpr double largest_group_tasks = 20, smallest_group_tasks = 4;
/// What it costs to wake the workers and to wait for the last of them.
constexpr double wake_tasks = 10;
/// One thread registers and submits what others take: both pay.
constexpr double submitted_tasks = 2;
/// So much of the factors is in a core's caches when the next solve begins, and is read twice as quickly.
constexpr double near_bytes = 4 << 20;

count_t scalars_of(const Analysis& analysis, const PlannedUnit& unit) {
    if (unit.subtree >= 0) return analysis.mapping.subtrees[at(unit.subtree)].factor_scalars;
    return front_panels(analysis.tree.fronts[at(unit.front)], analysis.factorization).size;
}

index_t fronts_of(const Analysis& analysis, const PlannedUnit& unit) {
    return unit.subtree < 0 ? 1 : unit.front - analysis.mapping.subtrees[at(unit.subtree)].first_front + 1;
}

void estimate(const Analysis& analysis, const SubstitutionLoad& load, const Rates& rates, SubstitutionPlan& plan) {
    count_t all = 0;
    for (PlannedUnit& unit : plan.units) all += unit.scalars;
    const double near = std::min(1.0, near_bytes / static_cast<double>(std::max<count_t>(1, all * load.scalar_bytes)));
    for (PlannedUnit& unit : plan.units) {
        const auto scalars = static_cast<double>(unit.scalars);
        const double products = scalars * load.rhs;
        unit.seconds = scalars * static_cast<double>(load.scalar_bytes) / (rates.core_read_bytes * (1 + near)) +
                       products * load.flops_per_product / rates.core_flops +
                       fronts_of(analysis, unit) * rates.core_front_seconds;
    }
}

}  // namespace

std::vector<PlannedUnit> plan_units(const Analysis& analysis) {
    const AssemblyTree& tree = analysis.tree;
    std::vector<PlannedUnit> units;
    std::vector<index_t> unit_of_front(tree.fronts.size(), -1);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t s = analysis.mapping.subtree_of_front[at(f)];
        if (s >= 0) f = analysis.mapping.subtrees[at(s)].root_front;
        const index_t first = s >= 0 ? analysis.mapping.subtrees[at(s)].first_front : f;
        PlannedUnit unit;
        unit.front = f;
        unit.subtree = s;
        unit.first_column = tree.fronts[at(first)].first_column;
        unit.end_column = tree.fronts[at(f)].first_column + tree.fronts[at(f)].npiv;
        unit.scalars = scalars_of(analysis, unit);
        unit_of_front[at(f)] = static_cast<index_t>(units.size());
        units.push_back(unit);
    }
    for (PlannedUnit& unit : units) {
        const index_t parent = tree.fronts[at(unit.front)].parent;
        if (tree.fronts[at(unit.front)].ncb() > 0) unit.parent = unit_of_front[at(parent)];
    }
    return units;
}

namespace {

/// The seconds of each unit with all below it; first: the first of these.
struct Below {
    double seconds = 0;
    index_t first = 0;
};

std::vector<Below> sums_below(const SubstitutionPlan& plan) {
    std::vector<Below> below(plan.units.size());
    for (std::size_t u = 0; u < below.size(); ++u) below[u].first = static_cast<index_t>(u);
    for (std::size_t u = 0; u < below.size(); ++u) {
        below[u].seconds += plan.units[u].seconds;
        if (plan.units[u].parent < 0) continue;
        Below& parent = below[at(plan.units[u].parent)];
        parent.seconds += below[u].seconds;
        parent.first = std::min(parent.first, below[u].first);
    }
    return below;
}

void add_group(SubstitutionPlan& plan, index_t first, index_t root) {
    for (index_t u = first; u <= root; ++u) plan.units[at(u)].group = static_cast<index_t>(plan.groups.size());
    plan.groups.push_back({first, root});
}

/// Subtrees of units, and single ones above these, that take no longer than `longest`.
void add_groups(SubstitutionPlan& plan, double longest) {
    const std::vector<Below> below = sums_below(plan);
    for (index_t u = 0; u < static_cast<index_t>(below.size()); ++u) {
        const PlannedUnit& unit = plan.units[at(u)];
        const bool whole = below[at(u)].seconds <= longest;
        const bool parent_too = unit.parent >= 0 && below[at(unit.parent)].seconds <= longest;
        if (whole && !parent_too)
            add_group(plan, below[at(u)].first, u);
        else if (!whole && (unit.subtree >= 0 || unit.seconds <= longest))
            add_group(plan, u, u);
    }
}

/// Tiles of a front that may be worked on side by side, and tasks of one sweep.
double tiles_of(const Analysis& analysis, const PlannedUnit& unit) {
    const index_t grid = unit.subtree >= 0 ? -1 : analysis.mapping.grid_of_front[at(unit.front)];
    return grid < 0 ? 1 : analysis.mapping.grids[at(grid)].tiles();
}

/// The seconds of one sweep, over the path where they are most.
double longest_path(const SubstitutionPlan& plan, const Analysis& analysis, double cores, double task_seconds) {
    std::vector<double> before(plan.units.size(), 0);
    double longest = 0;
    for (std::size_t u = 0; u < before.size(); ++u) {
        const PlannedUnit& unit = plan.units[u];
        const bool grouped = unit.group >= 0;
        const bool task_ends = !grouped || plan.groups[at(unit.group)].root == static_cast<index_t>(u);
        const double side_by_side = grouped ? 1 : std::min(cores, tiles_of(analysis, unit));
        const double end = before[u] + unit.seconds / side_by_side + (task_ends ? task_seconds : 0);
        longest = std::max(longest, end);
        if (unit.parent >= 0) before[at(unit.parent)] = std::max(before[at(unit.parent)], end);
    }
    return longest;
}

}  // namespace

SubstitutionPlan plan_substitution(const Analysis& analysis, const SubstitutionLoad& load, const Rates& rates) {
    SubstitutionPlan plan;
    plan.units = plan_units(analysis);
    estimate(analysis, load, rates, plan);
    const double share = substitution_seconds_alone(plan, load) / (sweeps * 2 * load.cores);
    add_groups(plan, std::clamp(share, smallest_group_tasks * rates.core_task_seconds,
                                largest_group_tasks * rates.core_task_seconds));
    return plan;
}

double substitution_seconds_alone(const SubstitutionPlan& plan, const SubstitutionLoad& load) {
    double seconds = 0;
    for (const PlannedUnit& unit : plan.units) seconds += unit.seconds;
    return sweeps * load.blocks * seconds;
}

double substitution_seconds_by_tasks(const SubstitutionPlan& plan, const Analysis& analysis,
                                     const SubstitutionLoad& load, const Rates& rates) {
    const double cores = std::min<double>(load.cores, rates.host_read_bytes / rates.core_read_bytes);
    double tasks = static_cast<double>(plan.groups.size());
    for (const PlannedUnit& unit : plan.units)
        if (unit.group < 0) tasks += 2 * tiles_of(analysis, unit);
    const double submission = sweeps * load.blocks * tasks * submitted_tasks * rates.core_task_seconds;
    // Graham's bound of what a list of tasks takes.
    return wake_tasks * rates.core_task_seconds +
           std::max(submission, (substitution_seconds_alone(plan, load) + submission) / cores) +
           (1 - 1 / cores) * sweeps * longest_path(plan, analysis, cores, rates.core_task_seconds);
}

}  // namespace frond::detail
