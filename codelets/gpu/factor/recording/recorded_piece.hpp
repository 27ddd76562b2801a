// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "factor/recording/level_times.hpp"
#include "graph.hpp"
#include "plans/subtree_plan.hpp"

namespace frond::gpu {

/// The recorded work of a piece: one graph after the other of some of its levels each, so that the first time the device
/// works on one while the host records the next.
class RecordedPiece {
public:
    /// How many of its levels each graph has: about as many launches each as the others.
    /// at_once: all, where levels write to the host during the next ones.
    void begin(const SubtreePlan& tree, const SubtreePlan::Range& piece, bool at_once);

    bool has_begun() const noexcept { return !ends_.empty(); }
    void forget() noexcept { graphs_.clear(), ends_.clear(); }

    /// visit(graph) for each, in order; those that are not recorded yet are first: record(first level, last level) puts
    /// them on the stream.
    template <class Record, class Visit>
    void for_each(Stream stream, Record record, Visit visit) {
        for (std::size_t g = 0; g < ends_.size(); ++g) {
            const index_t first = g == 0 ? first_level_ : ends_[g - 1], last = ends_[g];
            if (g == graphs_.size()) graphs_.push_back(std::make_unique<Graph>(stream, [&] { record(first, last); }));
            visit(*graphs_[g]);
        }
    }

    LevelTimes& times() noexcept { return times_; }

private:
    index_t first_level_ = 0;
    std::vector<index_t> ends_;  // of the levels of each graph
    std::vector<std::unique_ptr<Graph>> graphs_;  // the first ones, after an error not all
    LevelTimes times_;
};

}  // namespace frond::gpu
