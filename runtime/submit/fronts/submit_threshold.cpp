// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/submit_threshold.hpp"
#include "submit/fronts/task_work.hpp"

#include "frond/base/instantiate.hpp"
#include "tasks/pivots/accept_pivots.hpp"
#include "tasks/pivots/eliminate_failed.hpp"
#include "tasks/pivots/failed_columns.hpp"

namespace frond::detail {

template <class T>
void submit_gather_failed(FactorizationContext<T>& context, FrontRun<T>& run) {
    const Analysis& analysis = *context.state->analysis;
    GatherFailedArguments a;
    a.kind = analysis.factorization;
    a.variant = variant_of(a.kind, context.rule);
    a.tree = &analysis.tree;
    a.front = run.front;
    a.label = label_of(context, run, -1, -1);
    a.memory = run.tiled;
    a.seconds = &run.seconds;
    a.deferral = run.account.get();
    std::vector<Access> accesses{{run.failed_handle.get(), STARPU_W}, {run.start_handle.get(), STARPU_W}};
    for (const FrontRun<T>* child : run.children) accesses.push_back({child->delayed_handle.get(), STARPU_RW});
    const double remaining = analysis.mapping.bottom_level_flops[static_cast<std::size_t>(run.front)];
    insert_task(*context.job, gather_failed_codelet<T>(), a, accesses, context.priority(remaining, 3));
    for (FrontRun<T>* child : run.children) child->delayed_handle.release_when_unused();
}

template <class T>
void submit_accept_pivots(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, int priority,
                          AfterTask after) {
    TiledFront<T>& front = *run.tiled;
    AcceptPivotsArguments<T> a;
    a.kind = front.kind();
    a.rule = context.rule;
    a.variant = variant_of(a.kind, a.rule);
    a.grid = &front.grid();
    a.panel = k;
    a.most_failed = context.most_failed;
    a.label = label_of(context, run, k, k, k);
    if (const RecordedFront* const found = context.replayed(run.front))
        a.flops = accept_flops(a.kind, front.grid(), k, found->panels[static_cast<std::size_t>(k)]) * flops_per_real<T>;
    a.first_position = front.front().first_column;
    a.seconds = &run.seconds;
    a.place = run.place;
    a.deferral = run.account.get();
    std::vector<Access> accesses{{front.handle(k, k), STARPU_RW},
                                 {front.record_handle(k), STARPU_RW},
                                 {run.failed_handle.get(), STARPU_RW}};
    for (index_t i = k + 1; i < front.tiles(); ++i) {
        accesses.push_back({front.handle(i, k), STARPU_RW});
        accesses.push_back({front.backup_handle(i, k), STARPU_RW});
        if (front.kind() == Factorization::lu) accesses.push_back({front.handle(k, i), STARPU_RW});
    }
    insert_task(*context.job, accept_pivots_codelet<T>(), a, accesses, priority, after);
}

template <class T>
void submit_eliminate_failed(FactorizationContext<T>& context, FrontRun<T>& run, int priority) {
    EliminateFailedArguments a;
    a.kind = run.tiled->kind();
    a.at_root = run.tiled->front().parent < 0;
    a.label = label_of(context, run, -1, -1);
    a.rule = context.rule;
    a.variant = variant_of(a.kind, a.rule);
    if (const RecordedFront* const found = context.replayed(run.front))
        a.flops = second_pass_flops(a.kind, found->second_pass, run.tiled->front().ncb()) * flops_per_real<T>;
    a.seconds = &run.seconds;
    a.place = run.place;
    a.deferral = run.account.get();
    const Access accesses[] = {{run.failed_handle.get(), STARPU_RW},
                               {run.tiled->second_pass_handle(), STARPU_W},
                               {run.tiled->record_handle(run.tiled->own_tiles() - 1), STARPU_RW},
                               {run.delayed_handle.get(), STARPU_W}};
    insert_task(*context.job, eliminate_failed_codelet<T>(), a, std::span(accesses, a.at_root ? 3 : 4), priority,
                {after_pivots<T>, &run});
}

template <class T>
void add_second_pass(const FactorizationContext<T>& context, const FrontRun<T>& run, index_t k, index_t i, index_t j,
                     UpdateArguments& arguments, std::vector<Access>& accesses) {
    const TiledFront<T>& front = *run.tiled;
    if (!(context.rule.threshold > 0) || k + 1 < front.own_tiles() || front.is_own(i, j)) return;
    const std::vector<index_t>& cut = front.grid().cut;
    arguments.second_pass = true;
    arguments.kind = front.kind();
    arguments.first_row = cut[static_cast<std::size_t>(i)] - front.front().npiv;
    arguments.first_column = cut[static_cast<std::size_t>(j)] - front.front().npiv;
    arguments.account = run.account.get();
    if (const RecordedFront* const found = context.replayed(run.front))
        arguments.flops +=
            update_flops(front.grid().size(i), front.grid().size(j), found->second_pass.kept) * flops_per_real<T>;
    accesses.push_back({run.pivots != nullptr ? run.pivots->second_pass() : run.tiled->second_pass_handle(), STARPU_R});
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template void submit_gather_failed<T>(FactorizationContext<T>&, FrontRun<T>&);                                  \
    template void submit_accept_pivots<T>(FactorizationContext<T>&, FrontRun<T>&, index_t, int, AfterTask);         \
    template void submit_eliminate_failed<T>(FactorizationContext<T>&, FrontRun<T>&, int);                          \
    template void add_second_pass<T>(const FactorizationContext<T>&, const FrontRun<T>&, index_t, index_t, index_t, \
                                     UpdateArguments&, std::vector<Access>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
