// SPDX-License-Identifier: BSD-3-Clause
#include "dual_matching.hpp"

#include <algorithm>

namespace frond {
namespace {

void set_column_minima(DualMatching& m) {
    for (index_t j = 0; j < m.a.cols; ++j) {
        double least = infinity;
        for (count_t e = m.begin(j); e < m.end(j); ++e) least = std::min(least, m.cost_of(e));
        m.dual_of_column(j) = least < infinity ? least : 0;
    }
}

/// u_i = min_j (c_ij - v_j), 0 for a row without entries; row.entry, row.from: where it is
/// attained.
void set_row_minima(DualMatching& m) {
    for (auto& row : m.rows) row.dual = infinity;
    for (index_t j = 0; j < m.a.cols; ++j) {
        const double v = m.dual_of_column(j);
        for (count_t e = m.begin(j); e < m.end(j); ++e) {
            const double slack = m.cost_of(e) - v;
            auto& row = m.row_at(e);
            if (slack >= row.dual) continue;
            row.dual = slack;
            row.entry = e;
            row.from = j;
        }
    }
    for (auto& row : m.rows)
        if (row.dual == infinity) row.dual = 0;
}

void match_rows_to_their_minima(DualMatching& m) {
    for (auto& row : m.rows) {
        if (row.entry < 0 || m.matched(row.from) >= 0) continue;
        m.assign(row.from, row.entry);
        --m.free_count;
    }
}

void match_columns_to_free_tight_rows(DualMatching& m) {
    for (index_t j = 0; j < m.a.cols; ++j) {
        if (m.matched(j) >= 0) continue;
        const double v = m.dual_of_column(j);
        for (count_t e = m.begin(j); e < m.end(j); ++e) {
            const auto& row = m.row_at(e);
            if (row.column >= 0 || m.cost_of(e) - row.dual - v > DualMatching::tight) continue;
            m.assign(j, e);
            --m.free_count;
            break;
        }
    }
}

}  // namespace

void start_matching(DualMatching& m) {
    set_column_minima(m);
    set_row_minima(m);
    match_rows_to_their_minima(m);
    match_columns_to_free_tight_rows(m);
}

namespace {

/// Depth-first augmentation on the tight entries. A column first looks for a free row among its
/// entries (look-ahead: each entry is looked at once, since a matched row stays matched), then
/// descends through matched rows not visited in this phase.
class TightSearch {
public:
    explicit TightSearch(DualMatching& m)
        : m_(m),
          look_ahead_(m.a.begin.begin(), m.a.begin.end() - 1),
          next_(static_cast<std::size_t>(m.a.cols)),
          visited_(m.rows.size(), -1) {}

    void run() {
        std::vector<index_t> free = m_.free_columns(), still_free;
        for (bool worthwhile = true; worthwhile && !free.empty(); ++phase_) {
            still_free.clear();
            for (index_t j : free)
                if (!augment_from(j)) still_free.push_back(j);
            worthwhile = (free.size() - still_free.size()) * 20 > free.size();
            free.swap(still_free);
        }
    }

private:
    bool is_tight(count_t e, double v) { return m_.cost_of(e) - m_.row_at(e).dual - v <= m_.tight; }

    void push(index_t j) {
        path_.push_back(j);
        next_[j] = m_.begin(j);
    }

    bool augment_from(index_t root) {
        path_.clear();
        push(root);
        while (!path_.empty()) {
            const index_t j = path_.back();
            if (next_[j] == m_.begin(j)) {
                const count_t e = find_free_row(j);
                if (e >= 0) {
                    flip_path(e);
                    return true;
                }
            }
            if (!descend(j)) path_.pop_back();
        }
        return false;
    }

    count_t find_free_row(index_t j) {
        const double v = m_.dual_of_column(j);
        for (count_t& e = look_ahead_[j]; e < m_.end(j); ++e)
            if (m_.row_at(e).column < 0 && is_tight(e, v)) return e;
        return -1;
    }

    /// Pushes the column matched to the next unvisited row of a tight entry of j.
    bool descend(index_t j) {
        const double v = m_.dual_of_column(j);
        count_t& next = next_[j];
        while (next < m_.end(j)) {
            const count_t e = next++;
            if (!is_tight(e, v)) continue;
            index_t& visited = visited_[m_.row_of(e)];
            const index_t owner = m_.row_at(e).column;
            if (visited == phase_ || owner < 0) continue;
            visited = phase_;
            push(owner);
            return true;
        }
        return false;
    }

    /// The last column of the path takes entry e, each one before it the row of its successor.
    void flip_path(count_t e) {
        m_.assign(path_.back(), e);
        for (std::size_t k = path_.size() - 1; k-- > 0;) {
            const index_t j = path_[k];
            m_.assign(j, next_[j] - 1);
        }
        --m_.free_count;
    }

    DualMatching& m_;
    std::vector<count_t> look_ahead_;  // [n] next entry that may lead to a free row
    std::vector<count_t> next_;  // [n] next entry to descend through, for columns on the path
    std::vector<index_t> visited_;  // [n] phase in which the row was last visited
    std::vector<index_t> path_;  // columns from the root
    index_t phase_ = 0;
};

}  // namespace

void augment_along_tight_entries(DualMatching& m) {
    if (m.free_count > 0) TightSearch(m).run();
}

}  // namespace frond
