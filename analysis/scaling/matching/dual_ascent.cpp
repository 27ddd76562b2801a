// SPDX-License-Identifier: BSD-3-Clause
#include "distance_queue.hpp"
#include "dual_matching.hpp"

#include <algorithm>

namespace frond {
namespace {

/// Distances d_i from all free columns at once, until every free row within reach has been reached
/// at D. Then u_i += d_i - D for rows nearer than D and v_j rises alike: feasible, and the paths of
/// the search become tight. The dual objective grows with D at the rate (free columns) - (free rows
/// nearer than D) >= 0, so no smaller step is better.
class DualAscent {
public:
    explicit DualAscent(DualMatching& m) : m_(m), roots_(m.free_columns()) {}

    void run() {
        for (index_t j : roots_)
            if (m_.tighten_column(j)) scan(j);
        index_t free_rows = 0, row = -1;
        while (free_rows < m_.free_count && queue_.pop(m_.rows, infinity, row)) {
            settled_.push_back({queue_.current(), row});
            m_.row(row).distance = -infinity;
            if (m_.row(row).column < 0)
                ++free_rows;
            else
                scan(m_.row(row).column);
        }
        for (index_t i : touched_) m_.row(i).distance = infinity;
        shift(queue_.current());
    }

private:
    void scan(index_t j) {
        const double base = queue_.current();
        const double v = m_.dual_of_column(j);
        m_.scanned += m_.end(j) - m_.begin(j);
        for (count_t e = m_.begin(j); e < m_.end(j); ++e) {
            const index_t i = m_.row_of(e);
            DualMatching::Row& row = m_.row(i);
            const double distance = base + std::max(0.0, (m_.cost_of(e) - row.dual) - v);
            if (distance >= row.distance) continue;
            if (row.distance == infinity) touched_.push_back(i);
            row.distance = distance;
            queue_.push(distance, i);
        }
    }

    void shift(double reach) {
        for (index_t j : roots_) m_.dual_of_column(j) += reach;
        for (const auto& item : settled_) {
            DualMatching::Row& row = m_.row(item.row);
            row.dual += item.distance - reach;
            if (row.column < 0) continue;
            m_.dual_of_column(row.column) = m_.cost_of(m_.matched(row.column)) - row.dual;
        }
    }

    DualMatching& m_;
    std::vector<index_t> roots_;
    DistanceQueue queue_;
    std::vector<DistanceQueue::Item> settled_;
    std::vector<index_t> touched_;
};

}  // namespace

index_t raise_duals_from_all_free_columns(DualMatching& m) {
    const index_t before = m.free_count;
    DualAscent(m).run();
    augment_along_tight_entries(m);
    return before - m.free_count;
}

}  // namespace frond
