// SPDX-License-Identifier: BSD-3-Clause
// What one rank needs of an analysis that several carry out.
#pragma once

#include <functional>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"

namespace frond::detail {

/// visit(begin, end) for entries of the tiles of one rank, in the order of the entry map.
void for_each_entries(const Analysis& analysis, const RankMapping& mapping, index_t rank,
                      const std::function<void(count_t begin, count_t end)>& visit);

/// An analysis with all fronts, but with the rows and the entry map of what the rank has or exchanges with others alone:
/// its own fronts, those of which it has tiles, and those whose contribution block goes from some ranks to others, since
/// all ranks list all messages. EntryMap::source, the matching and the caller's order are rank 0's.
/// The entries of the rank come in the order that they have in the whole, so that lists of them serve both.
Analysis local_analysis(const Analysis& whole, const RankMapping& mapping, index_t rank);

}  // namespace frond::detail
