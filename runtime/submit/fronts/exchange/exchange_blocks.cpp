// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/exchange/exchange_blocks.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "engine/insert_task.hpp"
#include "messages/job_messages.hpp"
#include "tasks/messages/blocks.hpp"

namespace frond::detail {
namespace {

template <class T>
DataHandle handle_of(Announcement& announcement) {
    return DataHandle::vector(reinterpret_cast<unsigned char*>(&announcement),
                              static_cast<count_t>(sizeof announcement));
}

template <class T>
void after_tile_sent(void* raw, MessageEnd end) noexcept {
    auto& run = *static_cast<FrontRun<T>*>(raw);
    Job& job = *run.job;
    run.waiting_sends->fetch_sub(1, std::memory_order_relaxed);
    run.end_contribution_use();
    message_ended(job, end);
}

template <class T>
void after_delayed_sent(void* raw, MessageEnd end) noexcept {
    auto& run = *static_cast<FrontRun<T>*>(raw);
    Job& job = *run.job;
    cpu::DelayedColumns<T>& delayed = *run.sent_delayed;
    run.account->give(delayed.bytes());
    delayed.columns = {};
    delayed.row_part = {};
    run.waiting_sends->fetch_sub(1, std::memory_order_relaxed);
    message_ended(job, end);
}

/// Tiles of a subtree's block, in its memory. Until a task has opened them they do not leave, unless the block is there
/// already.
template <class T>
void cut_block(FactorizationContext<T>& context, FrontRun<T>& run, int priority) {
    const TileGrid& grid = context.share->mapping.tiles[at(run.front)];
    const bool symmetric = is_symmetric(context.state->kind());
    const index_t own = grid.own_tiles, tiles = grid.tiles() - own, ncb = grid.cut.back() - grid.cut[at(own)];
    T* const block = run.contribution.data;
    run.sent_tiles.resize(at(grid.tiles()) * at(grid.tiles()));
    std::vector<Access> accesses;
    const auto open = [&] {
        if (accesses.size() < 2) return;
        OpenBlockArguments a;
        a.label = label_of_front(context.state->analysis->tree, run.front);
        context.make_room();
        insert_task(*context.job, open_block_codelet(), a, accesses, priority);
    };
    const auto restart = [&] { accesses.assign(1, {run.contribution.handle.get(), STARPU_R}); };
    restart();
    for (index_t j = own; j < own + tiles; ++j)
        for (index_t i = symmetric ? j : own; i < own + tiles; ++i) {
            const index_t row = grid.cut[at(i)] - grid.cut[at(own)], column = grid.cut[at(j)] - grid.cut[at(own)];
            DataHandle& handle = run.sent_tiles[at(i) + at(j) * at(grid.tiles())];
            handle = DataHandle::matrix(DenseView<T>{block + row + static_cast<count_t>(column) * ncb, grid.size(i),
                                                     grid.size(j), ncb},
                                        run.contribution.node);
            if (run.is_made) continue;
            accesses.push_back({handle.get(), STARPU_W});
            if (accesses.size() < STARPU_NMAXBUFS) continue;
            open();
            restart();
        }
    open();
}

template <class T>
DataRef sent_tile(const FrontRun<T>& run, const TileGrid& grid, index_t number) {
    if (run.tiled != nullptr) return run.tiled->handle(number % grid.tiles(), number / grid.tiles());
    return run.sent_tiles[at(number)].get();
}

template <class T>
void announce(FactorizationContext<T>& context, FrontRun<T>& run, int priority) {
    run.announcement_handle = handle_of<T>(run.announcement);
    AnnounceBlockArguments a;
    a.front = run.front;
    a.label = label_of_front(context.state->analysis->tree, run.front);
    // RW: a receiver that drains takes the columns without waiting for the announcement, and they go when they are sent.
    const Access accesses[] = {{run.delayed_handle.get(), STARPU_RW}, {run.announcement_handle.get(), STARPU_W}};
    insert_task(*context.job, announce_block_codelet<T>(), a, accesses, priority);
}

template <class T>
void grant(FactorizationContext<T>& context, FrontRun<T>& parent, FrontRun<T>& child, int priority) {
    GrantBlockArguments a;
    a.account = parent.account.get();
    a.deferral = parent.account.get();
    a.label = label_of_front(context.state->analysis->tree, child.front);
    const Access accesses[] = {{child.announcement_handle.get(), STARPU_R}, {child.delayed_handle.get(), STARPU_W}};
    insert_task(*context.job, grant_block_codelet(), a, accesses, priority);
}

}  // namespace

template <class T>
bool is_sent(const FactorizationContext<T>& context, index_t front) {
    return context.messages != nullptr && context.messages->sends(front);
}

template <class T>
void prepare_received(FactorizationContext<T>& context, FrontRun<T>& child) {
    child.received =
        std::make_unique<ReceivedBlock<T>>(context.share->mapping.tiles[at(child.front)],
                                           context.messages->received_tiles(child.front), context.heap_of_messages());
    if (!context.messages->receives_delayed(child.front)) return;
    child.delayed_handle = DataHandle::object(child.delayed);
    child.announcement_handle = handle_of<T>(child.announcement);
}

template <class T>
void receive_block(FactorizationContext<T>& context, FrontRun<T>& parent, FrontRun<T>& child) {
    const TileGrid& grid = child.received->grid();
    const int priority = context.priority(context.state->analysis->mapping.bottom_level_flops[at(parent.front)], 3);
    context.messages->receive(child.front, [&](const UnitMessages::Planned& planned) {
        const Message& m = planned.message;
        DataRef handle = child.announcement_handle.get();
        MessagePlace place = MessagePlace::host;
        if (m.kind == MessageKind::contribution) {
            handle = child.received->handle(m.column % grid.tiles(), m.column / grid.tiles());
            place = context.place_of_tiles();
        }
        if (m.kind == MessageKind::delayed_columns) {
            handle = child.delayed_handle.get();
            grant(context, parent, child, priority);
        }
        receive(*context.job, *context.share->channel, handle, m.source, planned.tag, place);
    });
    child.announcement_handle.release_when_unused();
}

template <class T>
void prepare_sent(FactorizationContext<T>&, FrontRun<T>& run) {
    if (run.tiled != nullptr)
        run.tiled->provide();
    else
        run.contribution.provide();
}

template <class T>
void send_block(FactorizationContext<T>& context, FrontRun<T>& run) {
    const TileGrid& grid = context.share->mapping.tiles[at(run.front)];
    const int priority = context.priority(context.state->analysis->mapping.bottom_level_flops[at(run.front)], 3);
    if (run.tiled == nullptr) cut_block(context, run, priority);
    const bool sends_delayed = context.messages->sends_delayed(run.front);
    if (sends_delayed) {
        run.sent_delayed = run.tiled != nullptr || run.is_made
                               ? &run.delayed
                               : &context.state->factors
                                      .subtrees()[at(context.state->analysis->mapping.subtree_of_front[at(run.front)])]
                                      .pivots->second_passes.delayed;
        announce(context, run, priority);
    }
    context.messages->send(run.front, [&](const UnitMessages::Planned& planned) {
        const Message& m = planned.message;
        Channel& channel = *context.share->channel;
        if (m.kind != MessageKind::announcement) run.waiting_sends->fetch_add(1, std::memory_order_relaxed);
        if (m.kind == MessageKind::contribution) {
            run.contribution_uses.fetch_add(1, std::memory_order_relaxed);
            send(*context.job, channel, sent_tile(run, grid, m.column), m.destination, planned.tag, priority,
                 {after_tile_sent<T>, &run}, context.place_of_tiles());
        } else if (m.kind == MessageKind::delayed_columns) {
            send(*context.job, channel, run.delayed_handle.get(), m.destination, planned.tag, priority,
                 {after_delayed_sent<T>, &run});
        } else {
            send(*context.job, channel, run.announcement_handle.get(), m.destination, planned.tag, priority);
        }
    });
    for (DataHandle& handle : run.sent_tiles) handle.release_when_unused();
    run.announcement_handle.release_when_unused();
    const index_t parent = context.state->analysis->tree.fronts[at(run.front)].parent;
    if (!context.share->has_part(parent)) run.unregister_contribution();
    if (sends_delayed) run.delayed_handle.release_when_unused();
    run.end_contribution_use();
}

#define FROND_INSTANTIATE(T)                                                              \
    template bool is_sent<T>(const FactorizationContext<T>&, index_t);                    \
    template void prepare_received<T>(FactorizationContext<T>&, FrontRun<T>&);            \
    template void receive_block<T>(FactorizationContext<T>&, FrontRun<T>&, FrontRun<T>&); \
    template void prepare_sent<T>(FactorizationContext<T>&, FrontRun<T>&);                \
    template void send_block<T>(FactorizationContext<T>&, FrontRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
