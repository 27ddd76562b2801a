// SPDX-License-Identifier: BSD-3-Clause
#include "messages/unit_messages.hpp"

#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

bool is_within_front(MessageKind kind) {
    return kind != MessageKind::contribution && kind != MessageKind::announcement &&
           kind != MessageKind::delayed_columns;
}

UnitMessages::Stage stage_of(MessageKind kind) {
    using Stage = UnitMessages::Stage;
    switch (kind) {
        case MessageKind::failed_start:
            return Stage::start;
        case MessageKind::row_exchanges:
            return Stage::rows;
        case MessageKind::first_failure:
            return Stage::failures;
        case MessageKind::accepted_panel:
            return Stage::accepted;
        case MessageKind::given_back:
            return Stage::given_back;
        case MessageKind::lower_tile:
        case MessageKind::upper_tile:
            return Stage::tiles;
        case MessageKind::failed_rows:
            return Stage::failed_rows;
        case MessageKind::second_pass:
            return Stage::second_pass;
        default:
            return Stage::diagonal;
    }
}

std::size_t number_of_stage(index_t panel, UnitMessages::Stage stage) {
    return at(panel) * static_cast<std::size_t>(UnitMessages::Stage::count) + static_cast<std::size_t>(stage);
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
    const std::size_t stage = number_of_stage(std::min(message.row, message.column), stage_of(message.kind));
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

bool UnitMessages::sends_delayed(index_t child) const {
    bool any = false;
    for_each_of(child, [&](const Message& m) { any = any || (m.kind == MessageKind::delayed_columns && is_sent(m)); });
    return any;
}

bool UnitMessages::receives_delayed(index_t child) const {
    bool any = false;
    for_each_of(child, [&](const Message& m) { any = any || (m.kind == MessageKind::delayed_columns && !is_sent(m)); });
    return any;
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
    const std::size_t number = number_of_stage(panel, stage);
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
