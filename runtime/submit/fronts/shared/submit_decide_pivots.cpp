// SPDX-License-Identifier: BSD-3-Clause
// Which pivots of a panel stay, and what the ranks give back from their tiles.
#include "submit/fronts/shared/submit_shared_pivots.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "submit/fronts/exchange/exchange_panels.hpp"
#include "submit/fronts/shared/shared_arguments.hpp"
#include "tasks/pivots/decide_pivots.hpp"
#include "tasks/pivots/failed_columns.hpp"

namespace frond::detail {
namespace {

/// Other ranks that test tiles of L of panel k, in an order that does not matter.
template <class T>
std::vector<index_t> other_testers(const FrontRun<T>& run, index_t k) {
    const RankGrid& table = run.pivots->table();
    std::vector<index_t> ranks;
    for (index_t t = k + 1; t < run.tiled->tiles(); ++t) ranks.push_back(table.owner(t, k));
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::erase(ranks, table.owner(k, k));
    return ranks;
}

template <class T>
bool tests_here(const FrontRun<T>& run, index_t k) {
    const std::vector<index_t> others = other_testers(run, k);
    return std::find(others.begin(), others.end(), run.pivots->rank()) != others.end();
}

template <class T>
bool has_tiles_of_panel(const FrontRun<T>& run, index_t k) {
    const TiledFront<T>& front = *run.tiled;
    bool any = front.is_here(k, k);
    for (index_t t = k + 1; t < front.tiles(); ++t)
        any = any || front.is_here(t, k) || (front.kind() == Factorization::lu && front.is_here(k, t));
    return any;
}

template <class T>
void tell_limit(FactorizationContext<T>& context, FrontRun<T>& run, const PanelOfRanks<T>& panel) {
    TellLimitArguments a;
    a.label = label_of(context, run, panel.k, panel.k, panel.k);
    const Access accesses[] = {{panel.record, STARPU_RW},
                               {run.pivots->limit(panel.k, Rank{run.pivots->rank()}), STARPU_W}};
    insert_task(*context.job, tell_limit_codelet(), a, accesses, panel.priority, use_of_panels(run));
}

template <class T>
void decide(FactorizationContext<T>& context, FrontRun<T>& run, const PanelOfRanks<T>& panel) {
    auto a = shared_arguments<DecidePivotsArguments>(context, run, panel.k, panel.k, panel.k);
    a.rule = context.rule;
    a.grid = &run.tiled->grid();
    a.panel = panel.k;
    a.most_failed = context.most_failed;
    a.account = &run.pivots->account();
    std::vector<Access> accesses{{panel.diagonal, STARPU_R},
                                 {panel.record, STARPU_RW},
                                 {run.pivots->part(panel.k), STARPU_RW},
                                 {run.pivots->accepted(panel.k), STARPU_W}};
    for (const index_t r : other_testers(run, panel.k)) {
        accesses.push_back({run.pivots->limit(panel.k, Rank{r}), STARPU_R});
        ++a.limits;
    }
    insert_task(*context.job, decide_pivots_codelet<T>(), a, accesses, panel.priority, use_of_panels(run));
}

/// Buffers as the task wants them.
template <class T>
void give_back(FactorizationContext<T>& context, FrontRun<T>& run, const PanelOfRanks<T>& panel) {
    const index_t k = panel.k;
    TiledFront<T>& front = *run.tiled;
    SharedPivots<T>& pivots = *run.pivots;
    const bool lu = front.kind() == Factorization::lu, is_diagonal_here = front.is_here(k, k);
    auto a = shared_arguments<GiveBackArguments>(context, run, k, k, k);
    a.grid = &front.grid();
    a.table = &pivots.table();
    a.rank = pivots.rank();
    a.panel = k;
    a.account = &pivots.account();
    std::vector<Access> accesses{{pivots.accepted(k), STARPU_R},
                                 {panel.diagonal, is_diagonal_here ? STARPU_RW : STARPU_R}};
    if (is_diagonal_here) accesses.push_back({panel.record, STARPU_RW});
    for (index_t t = k + 1; t < front.tiles(); ++t) {
        if (front.is_here(t, k)) {
            accesses.push_back({front.handle(t, k), STARPU_RW});
            accesses.push_back({panel.backup(t), STARPU_RW});
        }
        if (lu && front.is_here(k, t)) accesses.push_back({front.handle(k, t), STARPU_RW});
    }
    for (const auto& [source, destination] : given_back_pairs(a.table[0], front.grid(), !lu, k))
        if (source == a.rank) accesses.push_back({pivots.given_back(k, {Rank{source}, Rank{destination}}), STARPU_W});
    insert_task(*context.job, give_back_codelet<T>(), a, accesses, panel.priority, use_of_panels(run));
}

}  // namespace

template <class T>
void submit_decide_pivots(FactorizationContext<T>& context, FrontRun<T>& run, const PanelOfRanks<T>& panel) {
    const index_t k = panel.k;
    if (tests_here(run, k)) tell_limit(context, run, panel);
    exchange_panel(context, run, k, UnitMessages::Stage::failures, panel.priority);
    if (run.tiled->is_here(k, k)) decide(context, run, panel);
    exchange_panel(context, run, k, UnitMessages::Stage::accepted, panel.priority);
    if (has_tiles_of_panel(run, k)) give_back(context, run, panel);
    exchange_panel(context, run, k, UnitMessages::Stage::given_back, panel.priority);
}

#define FROND_INSTANTIATE(T) \
    template void submit_decide_pivots<T>(FactorizationContext<T>&, FrontRun<T>&, const PanelOfRanks<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
