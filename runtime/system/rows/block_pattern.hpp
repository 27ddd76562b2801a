// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "frond/base/types.hpp"
#include "frond/base/vector_index.hpp"
#include "system/rows/row_cuts.hpp"

namespace frond::detail {

/// Where the entries of one row block are: whole rows, also of the symmetric kinds.
struct BlockPattern {
    RowCuts cuts;
    index_t rank = 0;
    Symmetry symmetry = Symmetry::general;  // of the canonical matrix
    std::vector<count_t> begin;  // [rows + 1]
    std::vector<index_t> column;  // of A; ascending within a row, none twice

    index_t first() const { return cuts.begin(rank); }
    index_t rows() const { return cuts.rows(rank); }
    count_t entries() const { return begin.back(); }
};

/// visit(entry, row of A, column of A) of all entries, row by row.
template <class Visit>
void for_block_entries(const BlockPattern& a, const Visit& visit) {
    for (index_t i = 0; i < a.rows(); ++i)
        for (count_t e = a.begin[at(i)]; e < a.begin[at(i) + 1]; ++e) visit(e, a.first() + i, a.column[at(e)]);
}

/// Row of the block and column of A of an entry.
struct BlockEntry {
    index_t row = 0, column = 0;
};

/// Fills begin and column of the pattern from entries in any order, some of them more than once; returns where each of
/// them is. O(entries log(entries of a row)).
std::vector<count_t> sort_entries(std::span<const BlockEntry> entries, BlockPattern& pattern);

}  // namespace frond::detail
