// SPDX-License-Identifier: BSD-3-Clause
// Internal to scaling/.
#pragma once

#include "distance_queue.hpp"
#include "dual_matching.hpp"

namespace frond {

/// Shortest augmenting paths, one free column after the other (Duff & Koster 2001, section 3):
/// Dijkstra's algorithm on reduced costs c_ij - u_i - v_j, cut off at the nearest free row found.
class AugmentingPaths {
public:
    explicit AugmentingPaths(DualMatching& m) : m_(m) {}

    /// Matches or buries free columns in ascending order. After every `budget` entries scanned it
    /// gives up (false) if, at the rate of those, the rest would take more than `patience` budgets.
    bool run(count_t budget, double patience);

private:
    void search(index_t root);
    void scan(index_t j);
    void augment();
    void lower_duals();
    void bury(index_t root);

    DualMatching& m_;
    DistanceQueue queue_;
    std::vector<DistanceQueue::Item> settled_;  // rows with their final distance
    std::vector<index_t> touched_;  // rows whose distance is to be reset
    double nearest_free_ = 0;  // distance of free_row_
    index_t free_row_ = -1;
};

}  // namespace frond
