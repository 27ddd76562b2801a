// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/exchange/row_selection.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/exchange/exchange_panels.hpp"
#include "submit/fronts/submit_front.hpp"
#include "tasks/pivots/select_rows.hpp"

namespace frond::detail {
namespace {

/// L U of a dense matrix starts over with other rows when more columns than this part of n, and this many, have failed.
constexpr index_t failed_share = 64, least_failed = 16;

template <class T>
std::vector<Access> column_of_tiles(const FrontRun<T>& run, index_t k, index_t j, bool reads) {
    std::vector<Access> accesses{{run.row_exchanges.get(), reads ? STARPU_W : STARPU_R}};
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

template <class T>
void select_rows(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, int priority) {
    SelectRowsArguments a;
    a.grid = &run.tiled->grid();
    a.panel = k;
    a.variant = "lu";
    a.flops = flops_per_real<T> * select_rows_flops(run.tiled->grid().size(k), run.tiled->tiles() - k);
    a.seconds = &run.seconds;
    a.label = label_of(context, run, k, k, k);
    context.make_room();
    insert_task(*context.job, select_rows_codelet<T>(), a, column_of_tiles(run, k, k, true), priority);
}

}  // namespace

std::vector<index_t> RowSelection::applied(std::vector<index_t> row_order) const {
    for (const cpu::RowExchanges& exchanges : of_panel)
        for (const cpu::RowExchange& e : exchanges.list) std::swap(row_order[at(e.upper)], row_order[at(e.lower)]);
    return row_order;
}

template <class T>
void use_row_selection(const FactorsState<T>& state, RowSelection& rows, FactorizationContext<T>& context) {
    if (!state.system.dense() || state.kind() != Factorization::lu) return;
    if (state.factors.selects_rows == SelectsRows::no) {
        context.most_failed = std::max(state.analysis->order / failed_share, least_failed);
        return;
    }
    rows.of_panel.resize(at(state.analysis->mapping.grids.front().own_tiles));
    context.rows = &rows;
    if (!state.factors.ownership.is_alone())
        context.most_failed = 0;  // columns that failed would have rows on several ranks
}

template <class T>
void submit_row_selection(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, int priority) {
    const index_t tiles = run.tiled->tiles();
    if (k + 1 == tiles) return;
    run.row_exchanges = DataHandle::object(context.rows->of_panel[at(k)]);
    if (run.tiled->is_here(k, k)) select_rows(context, run, k, priority);
    if (run.panels != nullptr) exchange_panel(context, run, k, UnitMessages::Stage::rows, priority);
    for (index_t j = 0; j < tiles; ++j) {
        if (!run.tiled->is_here(k, j)) continue;
        context.make_room();
        insert_task(*context.job, exchange_rows_codelet<T>(), exchange_arguments(context, run, k, j),
                    column_of_tiles(run, k, j, false), priority);
    }
    if (run.failed_handle && run.panels == nullptr) {
        ExchangeRowsArguments of_failed = exchange_arguments(context, run, k, -1);
        of_failed.failed = true;
        const Access accesses[] = {{run.row_exchanges.get(), STARPU_R}, {run.failed_handle.get(), STARPU_RW}};
        insert_task(*context.job, exchange_rows_codelet<T>(), of_failed, accesses, priority);
    }
    run.row_exchanges.release_when_unused();
}

#define FROND_INSTANTIATE(T)                                                                             \
    template void use_row_selection<T>(const FactorsState<T>&, RowSelection&, FactorizationContext<T>&); \
    template void submit_row_selection<T>(FactorizationContext<T>&, FrontRun<T>&, index_t, int);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
