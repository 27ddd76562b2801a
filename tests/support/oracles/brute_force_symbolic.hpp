// SPDX-License-Identifier: BSD-3-Clause
// Symbolic elimination by its definition: eliminating a vertex joins all its later neighbours.
// Sets of vertices, nothing clever; the oracle of everything symbolic.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::test {

/// rows[k]: positions i > k with l_ik != 0, of the graph (both triangles, diagonal ignored)
/// eliminated in the order given.
struct BruteForceFill {
    std::vector<std::set<index_t>> rows;

    /// Entries of L, diagonal included.
    count_t factor_entries() const {
        count_t sum = 0;
        for (const auto& column : rows) sum += static_cast<count_t>(column.size()) + 1;
        return sum;
    }
    /// Entries of each column of L, diagonal included.
    std::vector<index_t> column_counts() const {
        std::vector<index_t> counts;
        for (const auto& column : rows) counts.push_back(static_cast<index_t>(column.size()) + 1);
        return counts;
    }
    /// min{ i > k : l_ik != 0 }, -1 where there is none.
    std::vector<index_t> parents() const {
        std::vector<index_t> parent;
        for (const auto& column : rows) parent.push_back(column.empty() ? -1 : *column.begin());
        return parent;
    }
};

inline BruteForceFill eliminate(const Pattern& graph, const std::vector<index_t>& order) {
    std::vector<index_t> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<index_t>(k);
    BruteForceFill fill;
    fill.rows.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        for (count_t p = graph.begin[order[k]]; p < graph.begin[order[k] + 1]; ++p) {
            const index_t i = position[graph.row[p]];
            if (i > static_cast<index_t>(k)) fill.rows[k].insert(i);
        }
    for (std::size_t k = 0; k < order.size(); ++k)
        for (auto i = fill.rows[k].begin(); i != fill.rows[k].end(); ++i)
            fill.rows[*i].insert(std::next(i), fill.rows[k].end());
    return fill;
}

}  // namespace frond::test
