// SPDX-License-Identifier: BSD-3-Clause
// What the levels of a piece take, where a trace is recorded.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "event.hpp"
#include "plans/subtree_plan.hpp"

namespace frond::gpu {

/// Events in the recorded work of a piece: at its begin, and at the end of each of its levels. Without a trace there are
/// none, and nothing is measured.
class LevelTimes {
public:
    /// Before the work is recorded.
    void begin(index_t levels);
    /// While it is recorded.
    void mark(Stream stream) {
        if (marked_ < marks_.size()) marks_[marked_++].record_in_graph(stream);
    }
    /// The seconds of each level, after the work has run; empty without a trace.
    std::vector<double> seconds() const;

private:
    std::deque<TimedEvent> marks_;
    std::size_t marked_ = 0;
};

/// An event in the trace for each level of a piece, which has just ended.
void add_to_trace(index_t piece, std::span<const SubtreePlan::Level> levels, std::span<const double> seconds);

/// Fronts share the time of their level by their operations. [fronts] A whole subtree's at its root front.
std::vector<double> share_among_fronts(const Analysis& analysis, const SubtreePlan& plan,
                                       std::span<const double> level_seconds);

}  // namespace frond::gpu
