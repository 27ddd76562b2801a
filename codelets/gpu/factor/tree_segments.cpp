// SPDX-License-Identifier: BSD-3-Clause
#include "factor/tree_segments.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

/// For each range those of other devices that make blocks that it uses.
std::vector<std::vector<index_t>> foreign_ranges(const AssemblyTree& tree, const SubtreePlan& plan) {
    const auto& ranges = plan.ranges();
    std::vector<index_t> range_of(tree.fronts.size());
    for (std::size_t r = 0; r < ranges.size(); ++r)
        std::fill(range_of.begin() + ranges[r].first_front, range_of.begin() + ranges[r].last_front + 1,
                  static_cast<index_t>(r));
    std::vector<std::vector<index_t>> foreign(ranges.size());
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t parent = tree.fronts[at(f)].parent;
        if (parent < 0) continue;
        const index_t made = range_of[at(f)], used = range_of[at(parent)];
        if (ranges[at(made)].device != ranges[at(used)].device) foreign[at(used)].push_back(made);
    }
    for (std::vector<index_t>& all : foreign) {
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return foreign;
}

}  // namespace

std::vector<TreeSegment> tree_segments(const AssemblyTree& tree, const SubtreePlan& plan) {
    const std::vector<std::vector<index_t>> foreign = foreign_ranges(tree, plan);
    std::vector<char> ends_segment(foreign.size(), 0);
    for (const auto& all : foreign)
        for (const index_t made : all) ends_segment[at(made)] = 1;
    std::vector<TreeSegment> segments;
    std::vector<index_t> open(at(plan.devices()), -1), segment_of(foreign.size());
    for (std::size_t r = 0; r < foreign.size(); ++r) {
        index_t& current = open[at(plan.ranges()[r].device)];
        if (current < 0 || !foreign[r].empty()) {
            current = static_cast<index_t>(segments.size());
            segments.push_back({plan.ranges()[r].device, {}, {}, false});
        }
        segment_of[r] = current;
        segments[at(current)].ranges.push_back(static_cast<index_t>(r));
        for (const index_t made : foreign[r]) {
            segments[at(current)].after.push_back(segment_of[at(made)]);
            segments[at(segment_of[at(made)])].is_waited_for = true;
        }
        if (ends_segment[r] != 0) current = -1;
    }
    return segments;
}

}  // namespace frond::gpu
