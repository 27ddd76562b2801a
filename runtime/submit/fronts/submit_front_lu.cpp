// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "handles/insert_task.hpp"
#include "submit/fronts/submit_front.hpp"
#include "submit/fronts/submit_threshold.hpp"
#include "submit/fronts/task_work.hpp"
#include "tasks/factor_diagonal/factor_diagonal.hpp"
#include "tasks/solve_panel/solve_panel.hpp"
#include "tasks/update_tile/update_tile.hpp"

namespace frond::detail {
namespace {

/// Right-looking tile LU of the own columns and rows; pivoting inside the diagonal tile.
template <class T>
class LuFront {
public:
    LuFront(FactorizationContext<T>& context, FrontRun<T>& run)
        : context_(context), run_(run), front_(*run.tiled), threshold_(context.rule.threshold > 0) {}

    void submit() {
        run_.backup_uses_left.store(1);
        for (index_t k = 0; k < front_.own_tiles(); ++k) {
            factor(k);
            for (index_t i = k + 1; i < front_.tiles(); ++i) {
                solve(k, i, k);
                solve(k, k, i);
            }
            inverses_.release_when_unused();
            if (threshold_) accept_pivots(k);
            for (index_t j = k + 1; j < front_.tiles(); ++j)
                for (index_t i = k + 1; i < front_.tiles(); ++i) update(k, i, j);
        }
        release_threshold_handles(run_);
        front_.unregister_panel_backup();
        after_backup_use<T>(&run_);
    }

private:
    double size(index_t t) const { return front_.grid().size(t); }

    /// Work from panel k to the end of the root.
    int priority(index_t k, int role) const {
        const Analysis& analysis = *context_.state->analysis;
        const auto f = static_cast<std::size_t>(run_.front);
        const double done = static_cast<double>(k) / front_.own_tiles();
        return context_.priority(analysis.mapping.bottom_level_flops[f] - done * analysis.cost.front_flops[f], role);
    }

    AfterTask after_backup() {
        run_.backup_uses_left.fetch_add(1, std::memory_order_relaxed);
        return {after_backup_use<T>, &run_};
    }

    void factor(index_t k) {
        FactorDiagonalArguments a;
        a.kind = Factorization::lu;
        a.rule = context_.rule;
        a.workspaces = context_.workspaces;
        a.variant = variant_of(Factorization::lu, context_.rule);
        a.flops = factor_lu_flops(size(k)) * flops_per_real<T>;
        a.seconds = &run_.seconds;
        a.place = run_.place;
        a.label = label_of(context_, run_, k, k, k);
        inverses_ = inverses_of_panel<T>(run_, k);
        if (inverses_) a.inverses_usable = &run_.inverses_usable[static_cast<std::size_t>(k)];
        const Access accesses[] = {{front_.handle(k, k), STARPU_RW},
                                   {front_.record_handle(k), STARPU_W},
                                   {inverses_.get(), STARPU_W}};
        insert_task(*context_.job, factor_diagonal_codelet<T>(), a, std::span(accesses, inverses_ ? 3 : 2),
                    priority(k, 3));
    }

    void solve(index_t k, index_t i, index_t j) {
        context_.make_room();
        SolvePanelArguments a;
        a.upper = i == k;
        a.workspaces = context_.workspaces;
        a.variant = a.upper ? "lu upper" : variant_of(Factorization::lu, context_.rule);
        a.flops = solve_panel_flops(size(a.upper ? j : i), size(k)) * flops_per_real<T>;
        a.seconds = &run_.seconds;
        a.place = run_.place;
        a.label = label_of(context_, run_, i, j, k);
        if (inverses_) a.inverses_usable = &run_.inverses_usable[static_cast<std::size_t>(k)];
        const bool limited = threshold_ && !a.upper;
        std::vector<Access> accesses{{front_.handle(k, k), STARPU_R},
                                     {front_.record_handle(k), STARPU_R},
                                     {front_.handle(i, j), STARPU_RW}};
        if (limited) accesses.push_back({front_.backup_handle(i, k), STARPU_W});
        if (inverses_) accesses.push_back({inverses_.get(), STARPU_R});
        if (limited) a.bound = 1 / context_.rule.threshold;
        insert_task(*context_.job, solve_panel_codelet<T>(), a, accesses, priority(k, 2),
                    limited ? after_backup() : AfterTask{});
    }

    void accept_pivots(index_t k) {
        submit_accept_pivots(context_, run_, k, priority(k, 3), after_backup());
        if (k + 1 == front_.own_tiles()) submit_eliminate_failed(context_, run_, priority(k + 1, 3));
    }

    void update(index_t k, index_t i, index_t j) {
        context_.make_room();
        UpdateArguments a;
        a.variant = variant_of(a, Factorization::lu);
        a.flops = update_flops(size(i), size(j), size(k)) * flops_per_real<T>;
        a.seconds = &run_.seconds;
        a.place = run_.place;
        a.label = label_of(context_, run_, i, j, k);
        std::vector<Access> accesses{{front_.handle(i, k), STARPU_R},
                                     {front_.handle(k, j), STARPU_R},
                                     {front_.handle(i, j), STARPU_RW}};
        add_second_pass(context_, run_, k, i, j, a, accesses);
        const bool next_panel = std::min(i, j) == k + 1 && k + 1 < front_.own_tiles();
        insert_task(*context_.job, update_tile_codelet<T>(), a, accesses, priority(k, next_panel ? 1 : 0));
    }

    FactorizationContext<T>& context_;
    FrontRun<T>& run_;
    TiledFront<T>& front_;
    bool threshold_;
    DataHandle inverses_;  // of the panel that is being submitted
};

}  // namespace

template <class T>
void submit_front_lu(FactorizationContext<T>& context, FrontRun<T>& run) {
    LuFront<T>(context, run).submit();
}

#define FROND_INSTANTIATE(T) template void submit_front_lu<T>(FactorizationContext<T>&, FrontRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
