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

}  // namespace frond
