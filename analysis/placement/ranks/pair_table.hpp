// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "frond/analysis/rank_mapping.hpp"

namespace frond {

/// A table of a symmetric kind for any number of ranks, greedy as that of Beaumont, Collin, Eyraud-Dubois & Verite 2023, without
/// its matching: tiles fall into classes by their row and by their column, number modulo `classes`, and each pair of classes has
/// a rank. A rank receives tiles of the classes of its pairs alone. So the rank that has least gets a pair of classes that it
/// has, or else the class that makes most pairs with them: all pairs of m classes are m (m - 1) / 2, much work for few classes.
/// O(pairs^2 + pairs (ranks + classes m)).
class PairTable {
public:
    /// @pre 1 <= ranks <= classes (classes - 1) / 2, so that each has a pair
    PairTable(index_t ranks, index_t classes);

    /// Rows and columns are the classes.
    RankGrid grid() const;
    /// Work of the rank that has most, over the mean.
    double imbalance() const;
    /// The part of all classes of the rank that has most.
    double part_of_lines() const;

private:
    using Pair = std::pair<index_t, index_t>;
    index_t& owner(index_t a, index_t b);
    bool has(index_t rank, index_t c) const;
    bool is_free(index_t a, index_t b) const;
    void add_class(index_t rank, index_t c);
    void give(index_t rank, Pair pair);
    index_t rank_with_least() const;
    std::optional<Pair> pair_within(index_t rank) const;
    std::optional<index_t> best_class(index_t rank) const;
    index_t partner_of(index_t rank, index_t c) const;
    Pair least_covered_pair() const;
    void deal_pair();
    void deal_diagonal(index_t c);

    index_t ranks_, classes_, left_;  // left_: pairs of different classes that have no rank
    std::vector<index_t> owner_;  // [classes^2] -1: none
    std::vector<std::vector<index_t>> classes_of_;  // [ranks]
    std::vector<index_t> work_;  // [ranks] two a pair, one a class with itself, of which half the tiles are stored
    std::vector<index_t> free_pairs_, covered_;  // [classes] pairs without a rank; ranks that have it
};

}  // namespace frond
