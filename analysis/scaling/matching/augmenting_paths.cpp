// SPDX-License-Identifier: BSD-3-Clause
#include "augmenting_paths.hpp"

#include "dual_matching.hpp"

#include <algorithm>

namespace frond {

bool AugmentingPaths::run(count_t budget, double patience) {
    const std::vector<index_t> free = m_.free_columns();
    count_t limit = m_.scanned + budget;
    std::size_t chunk_start = 0;
    for (std::size_t done = 0; done < free.size(); ++done) {
        if (m_.scanned > limit) {
            const auto left = static_cast<double>(free.size() - done);
            if (left > patience * static_cast<double>(done - chunk_start)) return false;
            limit = m_.scanned + budget;
            chunk_start = done;
        }
        search(free[done]);
    }
    return true;
}

void AugmentingPaths::search(index_t root) {
    queue_.clear();
    settled_.clear();
    touched_.clear();
    nearest_free_ = infinity;
    free_row_ = -1;
    m_.scanned += m_.end(root) - m_.begin(root);
    if (!m_.tighten_column(root)) return bury(root);

    index_t row = -1;
    scan(root);
    while (nearest_free_ > queue_.current() && queue_.pop(m_.rows, nearest_free_, row)) {
        settled_.push_back({queue_.current(), row});
        m_.row(row).distance = -infinity;
        scan(m_.row(row).column);
    }
    if (free_row_ < 0) return bury(root);
    for (index_t i : touched_) m_.row(i).distance = infinity;
    augment();
    lower_duals();
}

/// d_i = min(d_i, d + c_ij - u_i - v_j) over the entries of column j, d the distance of j.
void AugmentingPaths::scan(index_t j) {
    const double base = queue_.current();
    const double v = m_.dual_of_column(j);
    const count_t end = m_.end(j);
    m_.scanned += end - m_.begin(j);
    for (count_t e = m_.begin(j); e < end; ++e) {
        const index_t i = m_.row_of(e);
        DualMatching::Row& row = m_.row(i);
        const double distance = base + std::max(0.0, (m_.cost_of(e) - row.dual) - v);
        if (distance >= row.distance || distance >= nearest_free_) continue;
        if (row.distance == infinity) touched_.push_back(i);
        row.distance = distance;
        row.entry = e;
        row.from = j;
        if (row.column >= 0) {
            queue_.push(distance, i);
            continue;
        }
        nearest_free_ = distance;
        free_row_ = i;
        if (distance <= base) return;
    }
}

void AugmentingPaths::augment() {
    index_t i = free_row_;
    while (i >= 0) {
        DualMatching::Row& row = m_.row(i);
        const count_t given_up = m_.matched(row.from);
        m_.matched(row.from) = row.entry;
        row.column = row.from;
        i = given_up < 0 ? -1 : m_.row_of(given_up);
    }
    --m_.free_count;
}

/// u_i += d_i - d_free for the rows settled; v_j follows from the matched entries (ibid., section
/// 3).
void AugmentingPaths::lower_duals() {
    for (const auto& item : settled_) m_.row(item.row).dual += item.distance - nearest_free_;
    const auto follow = [this](const DualMatching::Row& row) {
        m_.dual_of_column(row.column) = m_.cost_of(m_.matched(row.column)) - row.dual;
    };
    for (const auto& item : settled_) follow(m_.row(item.row));
    follow(m_.row(free_row_));
}

/// No free row can be reached from root: nor can it from the rows settled, ever (Berge 1957), so
/// later searches skip them. Their dual -infinity makes every entry in their rows infinitely slack.
void AugmentingPaths::bury(index_t root) {
    m_.matched(root) = DualMatching::buried_column;
    --m_.free_count;
    for (const auto& item : settled_) {
        m_.buried_rows.push_back(item.row);
        m_.buried_duals.push_back(m_.row(item.row).dual);
        m_.row(item.row).dual = -infinity;
        m_.row(item.row).distance = infinity;
    }
    m_.block_end.push_back(static_cast<count_t>(m_.buried_rows.size()));
}

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
