// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

RankGrid rows_and_columns(index_t ranks) {
    for (index_t used = ranks; used > 1; --used)
        for (auto rows = static_cast<index_t>(std::sqrt(static_cast<double>(used))); rows >= 1; --rows) {
            if (used % rows != 0 || used / rows > 3 * rows) continue;
            RankGrid grid{rows, used / rows, {}};
            for (index_t r = 0; r < used; ++r) grid.rank.push_back(r);
            return grid;
        }
    return {};
}

// Tiles fall into `classes` by their row and by their column, number modulo classes. Each pair of different classes
// has a rank, so a tile of L is read by the ranks of its class alone, classes - 1 of them; rows and columns of ranks
// need sqrt(2) times as many. Tiles with both in one class go
//   basic     (classes (classes - 1) / 2 ranks) to the ranks of that class in turn;
//   extended  (classes^2 / 2 ranks, classes even) to further ranks, one for every two classes.
struct SymmetricTable {
    index_t classes = 0;
    bool extended = false;

    index_t ranks() const { return extended ? classes * classes / 2 : classes * (classes - 1) / 2; }
    index_t pair(index_t a, index_t b) const {
        const index_t low = std::min(a, b), high = std::max(a, b);
        return low * (2 * classes - low - 1) / 2 + high - low - 1;
    }
    index_t owner(index_t i, index_t j) const {
        const index_t a = i % classes, b = j % classes;
        if (a != b) return pair(a, b);
        if (extended) return classes * (classes - 1) / 2 + a % (classes / 2);
        return pair(a, (a + 1 + (i / classes + j / classes) % (classes - 1)) % classes);
    }
    RankGrid grid() const {
        // With three classes the ranks need not take turns: each has one pair and one class.
        const index_t order = extended || classes == 3 ? classes : classes * (classes - 1);
        RankGrid grid{order, order, {}};
        for (index_t i = 0; i < order; ++i)
            for (index_t j = 0; j < order; ++j) grid.rank.push_back(owner(i, j));
        return grid;
    }
};

SymmetricTable largest_symmetric(index_t ranks) {
    SymmetricTable best;
    for (index_t classes = 2; classes * (classes - 1) / 2 <= ranks; ++classes)
        for (const bool extended : {false, true}) {
            const SymmetricTable table{classes, extended};
            if (extended ? classes % 2 != 0 : classes < 3) continue;
            if (table.ranks() <= ranks && table.ranks() > best.ranks()) best = table;
        }
    return best;
}

}  // namespace

std::vector<index_t> RankGrid::members() const {
    std::vector<index_t> all = rank;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

index_t ranks_of_table(index_t ranks, bool symmetric) {
    const RankGrid plain = rows_and_columns(ranks);
    return std::max(plain.rows * plain.cols, symmetric ? largest_symmetric(ranks).ranks() : 1);
}

RankGrid table_for(index_t ranks, bool symmetric) {
    RankGrid plain = rows_and_columns(ranks);
    if (!symmetric) return plain;
    const SymmetricTable table = largest_symmetric(ranks);
    return table.ranks() >= plain.rows * plain.cols && table.ranks() > 1 ? table.grid() : plain;
}

}  // namespace frond
