// SPDX-License-Identifier: BSD-3-Clause
#include "factor/recording/level_times.hpp"

#include <starpu.h>

#include <array>
#include <cstdio>

#include "frond/base/vector_index.hpp"
#include "frond/codelets/starpu_start.hpp"

namespace frond::gpu {

void LevelTimes::begin(index_t levels) {
    marks_.clear();
    marked_ = 0;
    if (!times_recorded_work || !StarpuStart::is_traced()) return;
    for (index_t m = 0; m <= levels; ++m) marks_.emplace_back();
}

std::vector<double> LevelTimes::seconds() const {
    std::vector<double> all;
    for (std::size_t m = 1; m < marked_; ++m) all.push_back(marks_[m].seconds_after(marks_[m - 1]));
    return all;
}

/// Levels are numbered like those of tasks, the roots of the piece being 0.
void add_to_trace(index_t piece, std::span<const SubtreePlan::Level> levels, std::span<const double> seconds) {
    double begin = 0;
    for (std::size_t l = 0; l < seconds.size(); ++l) {
        std::array<char, 100> text{};  // StarPU cuts longer ones
        std::snprintf(text.data(), text.size(), "piece %d level %zu fronts %d begin_us %.1f us %.1f", piece,
                      seconds.size() - 1 - l, levels[l].last - levels[l].first, begin * 1e6, seconds[l] * 1e6);
        starpu_fxt_trace_user_event_string(text.data());
        begin += seconds[l];
    }
}

std::vector<double> share_among_fronts(const Analysis& analysis, const SubtreePlan& plan,
                                       std::span<const double> level_seconds) {
    std::vector<double> all(analysis.tree.fronts.size(), 0.0);
    for (std::size_t l = 0; l < level_seconds.size(); ++l) {
        const SubtreePlan::Level& level = plan.levels()[l];
        double flops = 0;
        for (index_t k = level.first; k < level.last; ++k) flops += analysis.cost.front_flops[at(plan.fronts()[at(k)])];
        for (index_t k = level.first; k < level.last && flops > 0; ++k) {
            const index_t front = plan.fronts()[at(k)], subtree = analysis.mapping.subtree_of_front[at(front)];
            const index_t to = subtree < 0 ? front : analysis.mapping.subtrees[at(subtree)].root_front;
            all[at(to)] += level_seconds[l] * analysis.cost.front_flops[at(front)] / flops;
        }
    }
    return all;
}

}  // namespace frond::gpu
