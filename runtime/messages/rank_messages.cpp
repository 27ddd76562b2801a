// SPDX-License-Identifier: BSD-3-Clause
#include "messages/rank_messages.hpp"

#include <algorithm>

namespace frond::detail {

void for_each_message_of(const RankPlan& plan, index_t front,
                         const std::function<void(const Message&, const MessageTag&)>& visit) {
    if (!plan.mapping.is_shared(front)) return;  // most fronts
    MessageNumbers numbers(plan.rank);
    for_each_message(plan.tree, plan.mapping, plan.rule, front, [&](const Message& message) {
        if (!MessageNumbers::concerns(message, plan.rank)) return;
        visit(message, {plan.solver, plan.call, front, static_cast<std::int64_t>(message.kind), numbers.next(message)});
    });
}

bool is_packed(MessageKind kind) {
    switch (kind) {
        case MessageKind::contribution:
        case MessageKind::diagonal:
        case MessageKind::first_failure:
        case MessageKind::lower_tile:
        case MessageKind::upper_tile:
        case MessageKind::announcement:
            return false;
        case MessageKind::pivot_record:
        case MessageKind::accepted_panel:
        case MessageKind::given_back:
        case MessageKind::failed_rows:
        case MessageKind::second_pass:
        case MessageKind::delayed_columns:
        case MessageKind::failed_start:
        case MessageKind::row_exchanges:
            break;
    }
    return true;
}

count_t largest_received_bytes(const RankPlan& plan) {
    count_t largest = 0;
    for (index_t front = 0; front < plan.tree.front_count(); ++front)
        for_each_message(plan.tree, plan.mapping, plan.rule, front, [&](const Message& message) {
            if (message.destination == plan.rank && !is_packed(message.kind))
                largest = std::max(largest, message.bytes);
        });
    return largest;
}

}  // namespace frond::detail
