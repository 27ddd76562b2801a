// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/exchange/row_selection.hpp"

#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "handles/insert_task.hpp"
#include "submit/fronts/submit_front.hpp"
#include "tasks/exchange_rows/exchange_rows.hpp"
#include "tasks/select_rows/select_rows.hpp"

namespace frond::detail {
namespace {

template <class T>
std::vector<Access> column_of_tiles(const FrontRun<T>& run, const DataHandle& exchanges, index_t k, index_t j,
                                    bool reads) {
    std::vector<Access> accesses{{exchanges.get(), reads ? STARPU_W : STARPU_R}};
    for (index_t i = k; i < run.tiled->tiles(); ++i)
        accesses.push_back({run.tiled->handle(i, j), reads ? STARPU_R : STARPU_RW});
    return accesses;
}

template <class T>
ExchangeRowsArguments exchange_arguments(const FactorizationContext<T>& context, FrontRun<T>& run, index_t k,
                                         index_t j) {
    ExchangeRowsArguments a;
    a.grid = &run.tiled->grid();
    a.panel = k;
    a.variant = "lu";
    a.seconds = &run.seconds;
    a.label = label_of(context, run, k, j, k);
    return a;
}

}  // namespace

std::vector<index_t> RowSelection::applied(std::vector<index_t> row_order) const {
    for (const cpu::RowExchanges& exchanges : of_panel)
        for (const cpu::RowExchange& e : exchanges.list) std::swap(row_order[at(e.upper)], row_order[at(e.lower)]);
    return row_order;
}

template <class T>
void submit_row_selection(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, int priority) {
    const index_t tiles = run.tiled->tiles();
    if (k + 1 == tiles) return;
    DataHandle exchanges = DataHandle::object(context.rows->of_panel[at(k)]);
    SelectRowsArguments a;
    a.grid = &run.tiled->grid();
    a.panel = k;
    a.variant = "lu";
    a.flops = flops_per_real<T> * select_rows_flops(run.tiled->grid().size(k), tiles - k);
    a.seconds = &run.seconds;
    a.label = label_of(context, run, k, k, k);
    context.make_room();
    insert_task(*context.job, select_rows_codelet<T>(), a, column_of_tiles(run, exchanges, k, k, true), priority);
    for (index_t j = 0; j < tiles; ++j) {
        context.make_room();
        insert_task(*context.job, exchange_rows_codelet<T>(), exchange_arguments(context, run, k, j),
                    column_of_tiles(run, exchanges, k, j, false), priority);
    }
    if (run.failed_handle) {
        ExchangeRowsArguments of_failed = exchange_arguments(context, run, k, -1);
        of_failed.failed = true;
        const Access accesses[] = {{exchanges.get(), STARPU_R}, {run.failed_handle.get(), STARPU_RW}};
        insert_task(*context.job, exchange_rows_codelet<T>(), of_failed, accesses, priority);
    }
    exchanges.release_when_unused();
}

#define FROND_INSTANTIATE(T) \
    template void submit_row_selection<T>(FactorizationContext<T>&, FrontRun<T>&, index_t, int);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
