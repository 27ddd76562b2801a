// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/exchange/exchange_panels.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "messages/job_messages.hpp"

namespace frond::detail {
namespace {

template <class T>
void after_panel_message(void* raw, MessageEnd end) noexcept {
    auto& run = *static_cast<FrontRun<T>*>(raw);
    Job& job = *run.job;
    after_backup_use<T>(&run);
    message_ended(job, end);
}

/// A message of run-time size, which has arrived, is counted.
template <class T>
struct Arrived {
    FrontRun<T>* run = nullptr;
    Message message;
};

template <class T>
void after_pivots_message(void* raw, MessageEnd end) noexcept {
    const std::unique_ptr<Arrived<T>> arrived(static_cast<Arrived<T>*>(raw));
    try {
        if (end == MessageEnd::done) arrived->run->pivots->count_arrived(arrived->message);
    } catch (...) {
        arrived->run->job->fail(std::current_exception());
    }
    after_panel_message<T>(arrived->run, end);
}

/// What pivoting finds out: messages of run-time size, and which column of a panel failed first.
bool is_of_pivots(const Message& m) { return m.grows || m.kind == MessageKind::first_failure; }

template <class T>
DataRef pivots_data(FrontRun<T>& run, const Message& m) {
    SharedPivots<T>& pivots = *run.pivots;
    switch (m.kind) {
        case MessageKind::row_exchanges:
            return run.row_exchanges.get();
        case MessageKind::first_failure:
            return pivots.limit(m.row, Rank{m.source});
        case MessageKind::accepted_panel:
            return pivots.accepted(m.row);
        case MessageKind::given_back:
            return pivots.given_back(m.row, {Rank{m.source}, Rank{m.destination}});
        case MessageKind::failed_start:
            return pivots.start_parts(Rank{m.destination});
        case MessageKind::failed_rows:
            return pivots.end_parts(Rank{m.source});
        default:
            return pivots.second_pass();
    }
}

/// The data of a message: the tile or record of this rank, or the one that was received before or is about to be.
template <class T>
DataRef panel_data(FrontRun<T>& run, const Message& m) {
    if (is_of_pivots(m)) return pivots_data(run, m);
    const bool is_here = run.tiled->is_here(m.row, m.column);
    if (m.kind == MessageKind::pivot_record)
        return is_here ? run.tiled->record_handle(m.row) : run.panels->record(m.row);
    if (is_here) return run.tiled->handle(m.row, m.column);
    return m.kind == MessageKind::upper_tile ? run.panels->upper(m.row, m.column) : run.panels->lower(m.row, m.column);
}

template <class T>
void open_tile(FactorizationContext<T>& context, FrontRun<T>& run, const Message& m, int priority) {
    if (is_of_pivots(m)) return;
    const TaskLabel label = label_of(context, run, m.row, m.column, std::min(m.row, m.column));
    if (m.kind == MessageKind::upper_tile)
        run.panels->open_upper(*context.job, m.row, m.column, label, priority);
    else if (m.kind != MessageKind::pivot_record)
        run.panels->open_lower(*context.job, m.row, m.column, label, priority);
}

}  // namespace

template <class T>
void prepare_panels(FactorizationContext<T>& context, FrontRun<T>& run) {
    const TreeShare& share = *context.share;
    run.panels =
        std::make_unique<ReceivedPanels<T>>(run.tiled->grid(),
                                            received_tiles(share.mapping, share.rule, run.front, Rank{share.rank()}),
                                            run.tiled->kind(), context.heap_of_messages());
    if (context.rule.threshold > 0)
        run.pivots = std::make_unique<SharedPivots<T>>(run.tiled->grid(), share.mapping.grid[at(run.front)],
                                                       share.rank(), *run.account);
}

template <class T>
void exchange_panel(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, UnitMessages::Stage stage,
                    int priority) {
    Channel& channel = *context.share->channel;
    const AfterMessage after{after_panel_message<T>, &run};
    context.messages->post_panel(run.front, k, stage, [&](const UnitMessages::Planned& planned) {
        const Message& m = planned.message;
        const bool is_received = m.destination == context.share->rank();
        const bool is_tile = !is_of_pivots(m) && m.kind != MessageKind::pivot_record;
        const MessagePlace place = is_tile ? context.place_of_tiles() : MessagePlace::host;
        if (is_received) open_tile(context, run, m, priority);
        run.backup_uses_left.fetch_add(1, std::memory_order_relaxed);
        if (is_received && is_of_pivots(m)) {
            auto arrived = std::make_unique<Arrived<T>>(Arrived<T>{&run, m});
            receive(*context.job, channel, panel_data(run, m), m.source, planned.tag,
                    {after_pivots_message<T>, arrived.get()});
            static_cast<void>(arrived.release());
        } else if (is_received)
            receive(*context.job, channel, panel_data(run, m), m.source, planned.tag, after, place);
        else
            send(*context.job, channel, panel_data(run, m), m.destination, planned.tag, priority, after, place);
    });
}

#define FROND_INSTANTIATE(T)                                                 \
    template void prepare_panels<T>(FactorizationContext<T>&, FrontRun<T>&); \
    template void exchange_panel<T>(FactorizationContext<T>&, FrontRun<T>&, index_t, UnitMessages::Stage, int);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
