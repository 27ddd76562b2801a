// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"

namespace frond::detail {

/// Whether several ranks factor a tree together: not where one of them has done it before the others have begun. For
/// tests, which want little trees, it can be always so; as long as it is set on rank 0. with_card: it has one.
bool pays_to_share(const Analysis& analysis, bool is_complex, bool with_card);
std::atomic<bool>& share_always();

/// Tests set it, which want little fronts: all fronts on tiles are shared where they can be, by as many ranks as their
/// tiles allow; as long as it is set on rank 0.
std::atomic<bool>& share_fronts_always();

/// Tests set it: a factorization on this rank fails before it submits its unit of this number, counted from 0; less
/// than 0: it does not.
std::atomic<index_t>& failing_unit();

/// Ranks by their workers and cards; none has a card where that list is empty.
RankMachine machine_of(const std::vector<count_t>& workers, const std::vector<count_t>& cards = {});

/// Who has what of the tree.
RankMapping map_tree(const Analysis& analysis, const RankMachine& machine, const MessageRule& rule);

}  // namespace frond::detail
