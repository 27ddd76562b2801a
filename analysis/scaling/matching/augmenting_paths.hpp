// SPDX-License-Identifier: BSD-3-Clause
// Internal to scaling/.
#pragma once

#include "dual_matching.hpp"

#include <algorithm>
#include <vector>

namespace frond {

/// Rows reached by Dijkstra's algorithm, by distance. Rows at the current least distance lie in a
/// plain list, the others in a heap (the Q2 and Q1 of Duff & Koster 2001, section 4): ties, common
/// where entries are +-1, cost no heap operation. A row whose distance has fallen since is skipped.
class DistanceQueue {
public:
    struct Item {
        double distance;
        index_t row;
    };

    void clear() {
        nearest_.clear();
        heap_.clear();
        current_ = 0;
    }

    /// The least distance among rows not yet taken: that of the row taken last.
    double current() const { return current_; }

    void push(double distance, index_t row) {
        if (distance <= current_) {
            nearest_.push_back(row);
        } else {
            heap_.push_back({distance, row});
            std::push_heap(heap_.begin(), heap_.end(), farther);
        }
    }

    /// Takes a nearest row into `row`; false when none is nearer than `limit`.
    bool pop(const std::vector<DualMatching::Row>& rows, double limit, index_t& row) {
        if (!nearest_.empty()) {
            row = nearest_.back();
            nearest_.pop_back();
            return true;
        }
        while (!heap_.empty() && heap_.front().distance < limit) {
            std::pop_heap(heap_.begin(), heap_.end(), farther);
            const Item item = heap_.back();
            heap_.pop_back();
            if (rows[item.row].distance != item.distance) continue;
            current_ = item.distance;
            row = item.row;
            return true;
        }
        return false;
    }

private:
    static bool farther(const Item& x, const Item& y) { return x.distance > y.distance; }

    std::vector<index_t> nearest_;
    std::vector<Item> heap_;
    double current_ = 0;
};

// Internal to scaling/.

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
