// SPDX-License-Identifier: BSD-3-Clause
#include "submit/submit_threshold.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/flop_counts.hpp"

namespace frond::detail {

template <class T>
void submit_settle_panel(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, int priority, AfterTask after) {
    TiledFront<T>& front = *run.tiled;
    SettlePanelArguments<T> a;
    a.kind = front.kind();
    a.rule = context.rule;
    a.grid = &front.grid();
    a.panel = k;
    a.first_slot = front.front().first_column;
    a.limit = &run.limits[static_cast<std::size_t>(k)];
    a.pending = &run.pending;
    a.kept = front.kept_of(k);
    a.report = &run.reports[static_cast<std::size_t>(k)];
    a.seconds = &run.seconds;
    a.place = run.place;
    a.postponement = run.account.get();
    std::vector<Access> accesses{{front.handle(k, k), STARPU_RW}, {front.record_handle(k), STARPU_RW}};
    for (index_t i = k + 1; i < front.tiles(); ++i) {
        accesses.push_back({front.handle(i, k), STARPU_RW});
        accesses.push_back({front.ring_handle(i, k), STARPU_RW});
        if (front.kind() == Factorization::lu) accesses.push_back({front.handle(k, i), STARPU_RW});
    }
    insert_task(*context.job, settle_panel_codelet<T>(), a, accesses, priority, after);
}

template <class T>
void submit_eliminate_pending(FactorizationContext<T>& context, FrontRun<T>& run, int priority) {
    TiledFront<T>& front = *run.tiled;
    EliminatePendingArguments<T> a;
    a.kind = front.kind();
    a.at_root = front.front().parent < 0;
    a.rule = context.rule;
    a.pending = &run.pending;
    a.leftover = &front.leftover();
    a.delayed = run.delayed;
    a.report = &run.reports.back();
    a.seconds = &run.seconds;
    a.place = run.place;
    a.postponement = run.account.get();
    const Access accesses[] = {{front.record_handle(front.own_tiles() - 1), STARPU_R}};
    insert_task(*context.job, eliminate_pending_codelet<T>(), a, accesses, priority, {after_pivots<T>, &run});
}

template <class T>
void submit_update_leftover(FactorizationContext<T>& context, FrontRun<T>& run, int priority) {
    TiledFront<T>& front = *run.tiled;
    if (front.leftover().kept == 0) return;
    const TileGrid& grid = front.grid();
    const index_t own = front.own_tiles(), npiv = front.front().npiv;
    for (index_t j = own; j < front.tiles(); ++j)
        for (index_t i = own; i < front.tiles(); ++i) {
            if (!front.stored(i, j)) continue;
            context.make_room();
            UpdateLeftoverArguments<T> a;
            a.kind = front.kind();
            a.leftover = &front.leftover();
            a.first_row = grid.cut[static_cast<std::size_t>(i)] - npiv;
            a.first_column = grid.cut[static_cast<std::size_t>(j)] - npiv;
            a.lower = i == j && is_symmetric(front.kind());
            a.account = run.account.get();
            a.flops = update_flops(grid.size(i), grid.size(j), front.leftover().kept) * flops_per_real<T>;
            a.seconds = &run.seconds;
            a.place = run.place;
            const Access accesses[] = {{front.handle(i, j), STARPU_RW}};
            insert_task(*context.job, update_leftover_codelet<T>(), a, accesses, priority);
        }
}

#define FROND_INSTANTIATE(T)                                                                               \
    template void submit_settle_panel<T>(FactorizationContext<T>&, FrontRun<T>&, index_t, int, AfterTask); \
    template void submit_eliminate_pending<T>(FactorizationContext<T>&, FrontRun<T>&, int);                \
    template void submit_update_leftover<T>(FactorizationContext<T>&, FrontRun<T>&, int);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
