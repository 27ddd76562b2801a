// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "frond/analysis/message_tag.hpp"
#include "frond/analysis/rank_mapping.hpp"

namespace frond::detail {

/// The plan of messages of one factorization as one rank sees it.
struct RankPlan {
    const AssemblyTree& tree;
    const RankMapping& mapping;
    MessageRule rule;
    index_t rank = 0;
    std::int64_t solver = 0, call = 0;  // see MessageTag
};

/// The messages of for_each_message that the rank sends or receives, in that order, with their tags. What is submitted
/// and what is drained after an error walk here, so that both name the same messages.
void for_each_message_of(const RankPlan& plan, index_t front,
                         const std::function<void(const Message&, const MessageTag&)>& visit);

/// Objects and records, which travel packed; all others are vectors or matrices of static size.
bool is_packed(MessageKind kind);

/// The size of the largest static message that the rank receives; 0: there is none.
count_t largest_received_bytes(const RankPlan& plan);

}  // namespace frond::detail
