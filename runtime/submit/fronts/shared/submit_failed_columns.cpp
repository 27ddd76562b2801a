// SPDX-License-Identifier: BSD-3-Clause
// Columns that failed in a front that several ranks share: given to the ranks, brought up to date by each panel, and in
// the end eliminated by the rank that leads.
#include "submit/fronts/shared/submit_shared_pivots.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "submit/fronts/exchange/exchange_panels.hpp"
#include "submit/fronts/shared/shared_arguments.hpp"
#include "tasks/pivots/failed_columns.hpp"
#include "tasks/pivots/decide_pivots.hpp"
#include "tasks/pivots/eliminate_failed.hpp"

namespace frond::detail {
namespace {

using Stage = UnitMessages::Stage;

template <class T>
FailedPartsArguments parts_arguments(FactorizationContext<T>& context, FrontRun<T>& run, index_t first_tile) {
    auto a = shared_arguments<FailedPartsArguments>(context, run, -1, -1, -1);
    a.grid = &run.pivots->grid();
    a.table = &run.pivots->table();
    a.rank = run.pivots->rank();
    a.first_tile = first_tile;
    a.account = &run.pivots->account();
    return a;
}

/// Handles of the parts of this rank.
template <class T>
void add_parts(FrontRun<T>& run, index_t first_tile, starpu_data_access_mode mode, std::vector<Access>& accesses) {
    for (index_t t = first_tile; t < run.tiled->tiles(); ++t)
        if (run.tiled->is_here(t, t)) accesses.push_back({run.pivots->part(t), mode});
}

template <class T>
void keep(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, int priority) {
    auto a = shared_arguments<KeepFailedArguments>(context, run, k, k, k);
    a.first_column = run.tiled->grid().cut[at(k)];
    a.first_position = run.tiled->front().first_column + a.first_column;
    const Access accesses[] = {{run.pivots->accepted(k), STARPU_R}, {run.failed_handle.get(), STARPU_RW}};
    insert_task(*context.job, keep_failed_codelet<T>(), a, accesses, priority, use_of_panels(run));
}

template <class T>
void eliminate(FactorizationContext<T>& context, FrontRun<T>& run, int priority) {
    auto a = shared_arguments<EliminateSharedArguments>(context, run, -1, -1, -1);
    a.at_root = run.tiled->front().parent < 0;
    a.rule = context.rule;
    a.grid = &run.tiled->grid();
    a.account = &run.pivots->account();
    std::vector<Access> accesses{{run.failed_handle.get(), STARPU_RW},
                                 {run.tiled->second_pass_handle(), STARPU_W},
                                 {run.pivots->outcome_handle(), STARPU_RW},
                                 {run.pivots->second_pass(), STARPU_W}};
    if (!a.at_root) accesses.push_back({run.delayed_handle.get(), STARPU_W});
    for (const index_t r : owners_of_failed_parts(run.pivots->table(), *a.grid, a.grid->own_tiles)) {
        accesses.push_back({run.pivots->end_parts(Rank{r}), STARPU_R});
        ++a.sources;
    }
    run.backup_uses_left.fetch_add(1, std::memory_order_relaxed);
    insert_task(*context.job, eliminate_shared_codelet<T>(), a, accesses, priority, {after_shared_pivots<T>, &run});
}

}  // namespace

template <class T>
void submit_failed_start(FactorizationContext<T>& context, FrontRun<T>& run, int priority) {
    if (run.pivots->leads()) {
        std::vector<Access> accesses{{run.failed_handle.get(), STARPU_R}};
        for (const index_t r : owners_of_failed_parts(run.pivots->table(), run.tiled->grid(), 0))
            accesses.push_back({run.pivots->start_parts(Rank{r}), STARPU_W});
        insert_task(*context.job, deal_failed_codelet<T>(), parts_arguments(context, run, 0), accesses, priority,
                    use_of_panels(run));
    }
    exchange_panel(context, run, 0, Stage::start, priority);
    std::vector<Access> accesses{{run.pivots->start_parts(Rank{run.pivots->rank()}), STARPU_RW}};
    add_parts(run, 0, STARPU_W, accesses);
    if (accesses.size() == 1) return;
    insert_task(*context.job, take_parts_codelet<T>(), parts_arguments(context, run, 0), accesses, priority,
                use_of_panels(run));
}

template <class T>
void submit_update_failed(FactorizationContext<T>& context, FrontRun<T>& run, index_t k,
                          const std::function<DataRef(index_t)>& left, const std::function<DataRef(index_t)>& right,
                          int priority) {
    TiledFront<T>& front = *run.tiled;
    SharedPivots<T>& pivots = *run.pivots;
    const RankGrid& table = pivots.table();
    const Rank here{pivots.rank()};
    for (index_t t = k + 1; t < front.tiles(); ++t) {
        if (!front.is_here(t, t)) continue;
        context.make_room();
        auto a = shared_arguments<UpdateFailedArguments>(context, run, t, t, k);
        a.tile = t;
        a.begin = front.grid().cut[at(t)];
        a.is_own = t < front.own_tiles();
        a.account = &pivots.account();
        a.rows_apart = a.kind == Factorization::lu && table.owner(k, t) != table.owner(t, k);
        std::vector<Access> accesses{{pivots.accepted(k), STARPU_R},
                                     {pivots.part(t), STARPU_RW},
                                     {left(t), STARPU_R},
                                     {right(t), STARPU_R},
                                     {pivots.given_back(k, {Rank{table.owner(t, k)}, here}), STARPU_R}};
        if (a.rows_apart) accesses.push_back({pivots.given_back(k, {Rank{table.owner(k, t)}, here}), STARPU_R});
        insert_task(*context.job, update_failed_codelet<T>(), a, accesses, priority, use_of_panels(run));
    }
    if (pivots.leads()) keep(context, run, k, priority);
}

template <class T>
void submit_eliminate_shared(FactorizationContext<T>& context, FrontRun<T>& run, int priority) {
    const index_t own = run.tiled->own_tiles(), last = own - 1;
    std::vector<Access> accesses{{run.pivots->end_parts(Rank{run.pivots->rank()}), STARPU_W}};
    add_parts(run, own, STARPU_RW, accesses);
    if (accesses.size() > 1)
        insert_task(*context.job, collect_parts_codelet<T>(), parts_arguments(context, run, own), accesses, priority,
                    use_of_panels(run));
    exchange_panel(context, run, last, Stage::failed_rows, priority);
    if (run.pivots->leads()) eliminate(context, run, priority);
    exchange_panel(context, run, last, Stage::second_pass, priority);
}

#define FROND_INSTANTIATE(T)                                                               \
    template void submit_failed_start<T>(FactorizationContext<T>&, FrontRun<T>&, int);     \
    template void submit_update_failed<T>(FactorizationContext<T>&, FrontRun<T>&, index_t, \
                                          const std::function<DataRef(index_t)>&,          \
                                          const std::function<DataRef(index_t)>&, int);    \
    template void submit_eliminate_shared<T>(FactorizationContext<T>&, FrontRun<T>&, int);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
