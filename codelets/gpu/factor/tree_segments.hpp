// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor/cut_tree.hpp"

namespace frond::gpu {

/// Ranges that a device does one after the other without waiting for another device.
struct TreeSegment {
    index_t device = 0;
    std::vector<index_t> ranges;  // of the plan
    std::vector<index_t> after;  // segments of other devices that make what is used here
    bool is_waited_for = false;  // by a segment of another device
};

/// In an order in which what is waited for comes first. One device: one segment.
std::vector<TreeSegment> tree_segments(const AssemblyTree& tree, const SubtreePlan& plan);

}  // namespace frond::gpu
