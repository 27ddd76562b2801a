// SPDX-License-Identifier: BSD-3-Clause
#include "messages/unit_messages.hpp"

#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

bool is_within_front(MessageKind kind) {
    return kind != MessageKind::contribution && kind != MessageKind::announcement &&
           kind != MessageKind::delayed_columns;
}

}  // namespace

UnitMessages::UnitMessages(Job& job, const TreeShare& share, const AssemblyTree& tree)
    : job_(job),
      share_(share),
      tree_(tree),
      plan_{tree,         share.mapping, share.rule,
            share.rank(), share.solver,  share.number % (std::int64_t{1} << MessageTag::call_bits)},
      of_front_(tree.fronts.size()),
      drain_(job, *share.channel, plan_) {
    for (index_t f = 0; f < tree.front_count(); ++f)
        for_each_message_of(plan_, f, [&](const Message& message, const MessageTag& tag) { add(message, tag); });
}

void UnitMessages::add(const Message& message, const MessageTag& tag) {
    Of& front = of_front_[at(message.front)];
    const std::size_t number = front.planned.size();
    front.planned.push_back({message, tag, false});
    ++planned_;
    if (!is_within_front(message.kind)) return of_front_[at(message.row)].child.push_back(number);
    const bool is_tile = message.kind == MessageKind::lower_tile || message.kind == MessageKind::upper_tile;
    const std::size_t stage = 2 * at(std::min(message.row, message.column)) + (is_tile ? 1 : 0);
    if (front.panels.size() <= stage) front.panels.resize(stage + 1);
    front.panels[stage].push_back(number);
}

template <class Visit>
void UnitMessages::for_each_of(index_t child, const Visit& visit) const {
    const index_t parent = tree_.fronts[at(child)].parent;
    for (const std::size_t number : of_front_[at(child)].child) visit(of_front_[at(parent)].planned[number].message);
}

bool UnitMessages::sends(index_t child) const {
    bool any = false;
    for_each_of(child, [&](const Message& m) { any = any || is_sent(m); });
    return any;
}

std::vector<Message> UnitMessages::received_tiles(index_t child) const {
    std::vector<Message> tiles;
    for_each_of(child, [&](const Message& m) {
        if (m.kind == MessageKind::contribution && !is_sent(m)) tiles.push_back(m);
    });
    return tiles;
}

count_t UnitMessages::received_bytes(index_t child) const {
    count_t bytes = 0;
    for (const Message& m : received_tiles(child)) bytes += m.bytes;
    return bytes;
}

/// A message that cannot be posted is drained afterwards.
void UnitMessages::post_between(index_t child, bool sends, const Post& post) {
    const index_t parent = tree_.fronts[at(child)].parent;
    for (const std::size_t number : of_front_[at(child)].child) {
        Planned& planned = of_front_[at(parent)].planned[number];
        if (is_sent(planned.message) != sends) continue;
        post(planned);
        planned.is_posted = true;
    }
}

void UnitMessages::post_panel(index_t front, index_t panel, Stage stage, const Post& post) {
    Of& of = of_front_[at(front)];
    const std::size_t number = 2 * at(panel) + (stage == Stage::tiles ? 1 : 0);
    if (number >= of.panels.size()) return;
    for (const std::size_t n : of.panels[number]) {
        post(of.planned[n]);
        of.planned[n].is_posted = true;
    }
}

void UnitMessages::drain() {
    for (Of& front : of_front_)
        for (Planned& planned : front.planned) {
            if (planned.is_posted) continue;
            drain_.message(planned.message, planned.tag);
            planned.is_posted = true;
        }
}

}  // namespace frond::detail
