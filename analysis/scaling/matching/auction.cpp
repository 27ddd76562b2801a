// SPDX-License-Identifier: BSD-3-Clause
#include "dual_matching.hpp"

#include <algorithm>

namespace frond {
namespace {

/// Columns bid for rows; the price of row i is -u_i. A column whose best row costs b1 and whose
/// second best b2 raises the price of the best one by b2 - b1 + epsilon and takes it from its
/// owner. All columns then sit within epsilon of their best row (epsilon-complementary slackness).
class Auction {
public:
    explicit Auction(DualMatching& m) : m_(m), floor_(m.rows.size()) {
        const double fall = 64 + 4 * spread_of_duals();
        for (std::size_t i = 0; i < floor_.size(); ++i) floor_[i] = m.rows[i].dual - fall;
    }

    void run() {
        constexpr double first_epsilon = 0.5, last_epsilon = 1.0 / 256, reduction = 4;
        for (double epsilon = first_epsilon; epsilon >= last_epsilon; epsilon /= reduction) {
            release_pairs_beyond(epsilon);
            bid(epsilon);
        }
        release_pairs_beyond(DualMatching::tight);
        for (index_t j : bidders_) m_.tighten_column(j);
    }

private:
    /// How far duals differ: a measure of what prices may have to move.
    double spread_of_duals() const {
        double least = 0, most = 0;
        for (double v : m_.column_dual) {
            least = std::min(least, v);
            most = std::max(most, v);
        }
        return most - least;
    }

    /// Frees every pair that is more than epsilon from its column's best; lists all free columns.
    void release_pairs_beyond(double epsilon) {
        bidders_.clear();
        m_.free_count = 0;
        for (index_t j = 0; j < m_.a.cols; ++j) {
            if (m_.matched(j) >= 0 && m_.row_at(m_.matched(j)).dual > -infinity) {
                m_.tighten_column(j);
                const count_t e = m_.matched(j);
                auto& row = m_.row_at(e);
                if (m_.cost_of(e) - row.dual - m_.dual_of_column(j) > epsilon) {
                    row.column = -1;
                    m_.matched(j) = DualMatching::free_column;
                }
            }
            if (m_.matched(j) != DualMatching::free_column) continue;
            bidders_.push_back(j);
            ++m_.free_count;
        }
    }

    /// First come, first served, until one in 256 is left: these few would go on outbidding each
    /// other. The budget ends wars over rows that are too few.
    void bid(double epsilon) {
        const count_t budget = 10 * m_.a.entries();
        const std::size_t few = bidders_.size() / 256;
        count_t work = 0;
        for (std::size_t next = 0; next + few < bidders_.size() && work <= budget; ++next) {
            const index_t j = bidders_[next];
            work += m_.end(j) - m_.begin(j);
            const index_t outbid = place_bid(j, epsilon);
            if (outbid >= 0) bidders_.push_back(outbid);
        }
    }

    /// Returns the column that lost its row, or -1.
    index_t place_bid(index_t j, double epsilon) {
        double best = infinity, second = infinity;
        count_t best_entry = -1;
        for (count_t e = m_.begin(j); e < m_.end(j); ++e) {
            const double offer = m_.cost_of(e) - m_.row_at(e).dual;
            if (offer >= second) continue;
            if (offer < best) {
                second = best;
                best = offer;
                best_entry = e;
            } else {
                second = offer;
            }
        }
        if (best_entry < 0) return -1;
        auto& row = m_.row_at(best_entry);
        const double raise = epsilon + (second < infinity ? second - best : 0.0);
        if (row.dual - raise < floor_[m_.row_of(best_entry)]) return -1;
        const index_t outbid = row.column;
        if (outbid >= 0) m_.matched(outbid) = DualMatching::free_column;
        row.dual -= raise;
        row.column = j;
        m_.matched(j) = best_entry;
        return outbid;
    }

    DualMatching& m_;
    std::vector<double> floor_;  // no dual falls below: ends the bidding for rows that are too few
    std::vector<index_t> bidders_;  // free columns, then those outbid
};

}  // namespace

void bid_for_rows(DualMatching& m) { Auction(m).run(); }

}  // namespace frond
