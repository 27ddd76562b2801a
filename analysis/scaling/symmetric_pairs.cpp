// SPDX-License-Identifier: BSD-3-Clause
// Duff & Pralet 2005, section 3: the cycles of a matching of a symmetric matrix, split into pairs.
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "magnitudes.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

/// A scaled diagonal entry of this size passes the threshold test |a_kk| >= u max_i |a_ik| of
/// Duff & Reid 1983 at once, for u up to 0.1: entries of the scaled matrix are at most 1.
constexpr double one_by_one_threshold = 0.1;
constexpr double tiny = 0x1p-40;

/// Splits chains c_0, c_1, ... (column c_t matched to row c_{t+1}; closed: the last to row c_0).
class ChainSplitter {
public:
    ChainSplitter(const Pattern& a, const std::vector<double>& magnitude, const Matching& matching)
        : a_(a), magnitude_(magnitude), scale_(symmetric_scale(matching)), partner_(scale_.size()) {
        for (std::size_t i = 0; i < partner_.size(); ++i) partner_[i] = static_cast<index_t>(i);
    }

    void split(const std::vector<index_t>& chain, bool closed) {
        if (chain.size() < 2) return;
        score_links(chain, closed);
        const std::size_t k = chain.size();
        if (k % 2 == 0)
            pair_up(chain, closed ? better_start_of_even_cycle() : 0, k / 2);
        else
            leave_one_out(chain, closed);
    }

    std::vector<index_t> take() { return std::move(partner_); }

private:
    double scaled(index_t i, index_t j) const {
        const count_t e = find_entry(a_, i, j);
        return e < 0 ? 0.0 : magnitude_[e] * scale_[i] * scale_[j];
    }

    /// log2 of a lower bound on |det| of the pivot(s) that i and j would give: a_ij^2 - |a_ii
    /// a_jj|, or |a_ii a_jj| where both stand alone.
    double pair_score(std::size_t t, std::size_t next, double link) const {
        const double product = diagonal_[t] * diagonal_[next];
        if (stand_alone(diagonal_[t], diagonal_[next])) return std::log2(product);
        return std::log2(std::max(tiny, std::abs(link * link - product)));
    }

    static bool stand_alone(double d, double e) { return std::min(d, e) >= one_by_one_threshold; }

    void score_links(const std::vector<index_t>& chain, bool closed) {
        const std::size_t k = chain.size();
        diagonal_.resize(k);
        for (std::size_t t = 0; t < k; ++t) diagonal_[t] = scaled(chain[t], chain[t]);
        link_.assign(k, 0.0);
        for (std::size_t t = 0; t + (closed ? 0 : 1) < k; ++t) {
            const std::size_t next = (t + 1) % k;
            link_[t] = pair_score(t, next, scaled(chain[next], chain[t]));
        }
    }

    std::size_t better_start_of_even_cycle() const {
        double even = 0, odd = 0;
        for (std::size_t t = 0; t < link_.size(); t += 2) {
            even += link_[t];
            odd += link_[t + 1];
        }
        return even >= odd ? 0 : 1;
    }

    /// Position t left out: pairs (t+1, t+2), (t+3, t+4), ... around. Moving on from t to t+2
    /// trades the pair (t+1, t+2) for (t, t+1). In an open chain t is even.
    void leave_one_out(const std::vector<index_t>& chain, bool closed) {
        const std::size_t k = chain.size();
        double pairs = 0, best = 0;
        for (std::size_t t = 1; t + 1 < k; t += 2) pairs += link_[t];
        std::size_t best_position = k, position = 0;
        for (std::size_t step = 0; step < (closed ? k : k / 2 + 1); ++step) {
            const double total = pairs + std::log2(std::max(tiny, diagonal_[position]));
            if (best_position == k || total > best) {
                best = total;
                best_position = position;
            }
            pairs += link_[position] - link_[(position + 1) % k];
            position = (position + 2) % k;
        }
        pair_up(chain, best_position + 1, k / 2);
    }

    /// Pairs chain[start], chain[start+1]; ... around, unless both can stand alone.
    void pair_up(const std::vector<index_t>& chain, std::size_t start, std::size_t pairs) {
        const std::size_t k = chain.size();
        for (std::size_t p = 0; p < pairs; ++p) {
            const std::size_t t = (start + 2 * p) % k, next = (t + 1) % k;
            if (stand_alone(diagonal_[t], diagonal_[next])) continue;
            partner_[chain[t]] = chain[next];
            partner_[chain[next]] = chain[t];
        }
    }

    const Pattern& a_;
    const std::vector<double>& magnitude_;
    std::vector<double> scale_;
    std::vector<index_t> partner_;
    std::vector<double> diagonal_;  // scaled |a_ii| along the chain
    std::vector<double> link_;  // score of the pair (c_t, c_{t+1})
};

/// Calls split for every chain: those that start at an unmatched row first, then the cycles.
class ChainWalk {
public:
    ChainWalk(const std::vector<index_t>& row_of_column, ChainSplitter& splitter)
        : next_(row_of_column), splitter_(splitter), visited_(row_of_column.size(), 0) {}

    void run() {
        std::vector<std::uint8_t> row_is_matched(next_.size(), 0);
        for (index_t i : next_)
            if (i >= 0) row_is_matched[i] = 1;
        for (std::size_t i = 0; i < next_.size(); ++i)
            if (!row_is_matched[i]) walk(static_cast<index_t>(i), false);
        for (std::size_t i = 0; i < next_.size(); ++i)
            if (!visited_[i]) walk(static_cast<index_t>(i), true);
    }

private:
    void walk(index_t start, bool closed) {
        chain_.clear();
        for (index_t i = start; i >= 0 && !visited_[i]; i = next_[i]) {
            visited_[i] = 1;
            chain_.push_back(i);
        }
        splitter_.split(chain_, closed);
    }

    const std::vector<index_t>& next_;
    ChainSplitter& splitter_;
    std::vector<std::uint8_t> visited_;
    std::vector<index_t> chain_;
};

}  // namespace

std::vector<index_t> symmetric_pairs(const Pattern& a, const std::vector<double>& magnitude, const Matching& matching) {
    FROND_EXPECTS(static_cast<index_t>(matching.row_of_column.size()) == a.cols,
                  "the matching is of order " + std::to_string(matching.row_of_column.size()) +
                      ", the matrix of order " + std::to_string(a.cols));
    ChainSplitter splitter(a, magnitude, matching);
    ChainWalk(matching.row_of_column, splitter).run();
    return splitter.take();
}

}  // namespace frond
