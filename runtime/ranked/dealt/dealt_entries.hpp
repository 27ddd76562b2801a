// SPDX-License-Identifier: BSD-3-Clause
// What each rank gets of a tree and of the matrix.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/base/vector_index.hpp"
#include "messages/tree_share.hpp"

namespace frond::detail {

template <class T>
MessageRule rule_of(const Analysis& analysis, bool threshold, bool exchanges_rows = false) {
    return {analysis.factorization, threshold, static_cast<count_t>(sizeof(T)), exchanges_rows};
}

/// The number of entries of the tiles of one rank.
count_t entries_of_rank(const Analysis& analysis, const TreeShare& share, index_t rank);

}  // namespace frond::detail
