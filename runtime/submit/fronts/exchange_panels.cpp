// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/exchange_panels.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
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

/// Of a message: the tile or record of this rank, or the one that was received before or is about to be.
template <class T>
starpu_data_handle_t panel_data(const FrontRun<T>& run, const Message& m) {
    const bool is_here = run.tiled->is_here(m.row, m.column);
    if (m.kind == MessageKind::pivot_record)
        return is_here ? run.tiled->record_handle(m.row) : run.panels->record(m.row);
    if (is_here) return run.tiled->handle(m.row, m.column);
    return m.kind == MessageKind::upper_tile ? run.panels->upper(m.row, m.column) : run.panels->lower(m.row, m.column);
}

template <class T>
void open_tile(FactorizationContext<T>& context, FrontRun<T>& run, const Message& m, int priority) {
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
    run.panels = std::make_unique<ReceivedPanels<T>>(run.tiled->grid(),
                                                     received_tiles(share.mapping, share.rule, run.front, share.rank()),
                                                     run.tiled->kind());
}

template <class T>
void exchange_panel(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, UnitMessages::Stage stage,
                    int priority) {
    Channel& channel = *context.share->channel;
    const AfterMessage after{after_panel_message<T>, &run};
    context.messages->post_panel(run.front, k, stage, [&](const UnitMessages::Planned& planned) {
        const Message& m = planned.message;
        const bool is_received = m.destination == context.share->rank();
        if (is_received) open_tile(context, run, m, priority);
        run.backup_uses_left.fetch_add(1, std::memory_order_relaxed);
        if (is_received)
            receive(*context.job, channel, panel_data(run, m), m.source, planned.tag, after);
        else
            send(*context.job, channel, panel_data(run, m), m.destination, planned.tag, priority, after);
    });
}

#define FROND_INSTANTIATE(T)                                                 \
    template void prepare_panels<T>(FactorizationContext<T>&, FrontRun<T>&); \
    template void exchange_panel<T>(FactorizationContext<T>&, FrontRun<T>&, index_t, UnitMessages::Stage, int);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
