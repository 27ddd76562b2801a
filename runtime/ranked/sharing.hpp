// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"

namespace frond::detail {

/// Whether several ranks factor a tree together: not where one of them has done it before the others have begun. For
/// tests, which want little trees, it can be always so; as long as it is set on rank 0.
bool pays_to_share(const Analysis& analysis, bool is_complex);
std::atomic<bool>& share_always();

/// For tests, which want little fronts: all fronts on tiles are shared where they can be, by as many ranks as their tiles
/// allow; as long as it is set on rank 0.
std::atomic<bool>& share_fronts_always();

/// For tests: a factorization on this rank fails before it submits its unit of this number, counted from 0; less than 0:
/// it does not.
std::atomic<index_t>& failing_unit();

/// Ranks by their workers.
RankMachine machine_of(const std::vector<count_t>& workers);

/// Whether a thread that polls for messages leaves the workers of this rank their cores, or takes at most a quarter of
/// them. cores: usable by the ranks of this machine; 0: unknown.
bool has_core_for_messages(index_t cores, index_t ranks_here, count_t workers);

/// Who has what of the tree. Where a rank has no core for messages, each front is of one rank, whatever the pivoting: on two cores two ranks that
/// share fronts take 1.5 times as long as two that do not (decision 39).
RankMapping map_tree(const Analysis& analysis, const std::vector<count_t>& workers, const MessageRule& rule,
                     bool cores_for_messages = true);

}  // namespace frond::detail
