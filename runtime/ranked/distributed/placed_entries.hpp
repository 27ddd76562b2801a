// SPDX-License-Identifier: BSD-3-Clause
// Entries of A at their elimination positions, and in entry maps.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/base/vector_index.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {

/// An entry at its elimination positions.
using Placed = BlockEntry;

/// Numbers of rows and columns within fronts whose rows are known.
class LocalNumbers {
public:
    explicit LocalNumbers(const AssemblyTree& tree) : tree_(tree), front_of_(front_of_columns(tree)) {}

    index_t front(const Placed& p) const { return front_of_[at(std::min(p.row, p.column))]; }

    index_t number(index_t front, index_t position) const {
        const Front& f = tree_.fronts[at(front)];
        if (position < f.first_column + f.npiv) return position - f.first_column;
        const auto first = tree_.rows.begin() + static_cast<std::ptrdiff_t>(f.rows_begin);
        return f.npiv + static_cast<index_t>(std::lower_bound(first, first + f.ncb(), position) - first);
    }

private:
    const AssemblyTree& tree_;
    std::vector<index_t> front_of_;
};

/// Where each of these is in the map of the analysis, by front, column and row.
LargeVector<count_t> places_in_map(std::span<const Placed> entries, const Analysis& analysis,
                                   const ParallelFor& parallel_for);
/// Makes the map, except `source`, of the entries.
std::vector<count_t> fill_map(std::span<const Placed> entries, const AssemblyTree& tree, EntryMap& map);

}  // namespace frond::detail
