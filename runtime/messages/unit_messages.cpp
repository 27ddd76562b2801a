// SPDX-License-Identifier: BSD-3-Clause
#include "messages/unit_messages.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"

namespace frond::detail {

UnitMessages::UnitMessages(Job& job, const TreeShare& share, const AssemblyTree& tree)
    : job_(job),
      share_(share),
      plan_{tree,         share.mapping, share.rule,
            share.rank(), share.solver,  share.number % (std::int64_t{1} << MessageTag::call_bits)},
      children_(tree.fronts.size()),
      drain_(job, *share.channel, plan_) {
    for (index_t f = 0; f < tree.front_count(); ++f)
        for_each_message_of(plan_, f, [&](const Message& message, const MessageTag& tag) {
            of_child_[message.row].push_back({message, tag, false});
            ++planned_;
            std::vector<index_t>& children = children_[at(f)];
            if (message.destination == plan_.rank && (children.empty() || children.back() != message.row))
                children.push_back(message.row);
        });
}

/// A message that cannot be posted is drained afterwards.
void UnitMessages::post(index_t child, const std::function<void(const Planned&)>& post) {
    const auto found = of_child_.find(child);
    if (found == of_child_.end()) return;
    for (Planned& planned : found->second) {
        post(planned);
        planned.is_posted = true;
    }
}

void UnitMessages::drain(index_t front) {
    std::vector<index_t> children = children_[at(front)];
    if (share_.owns(front)) children.push_back(front);  // what it sends
    for (const index_t child : children)
        post(child, [&](const Planned& planned) {
            if (!planned.is_posted) drain_.message(planned.message, planned.tag);
        });
}

}  // namespace frond::detail
