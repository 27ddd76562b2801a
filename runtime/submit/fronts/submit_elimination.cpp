// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "handles/insert_task.hpp"
#include "submit/fronts/exchange/exchange_panels.hpp"
#include "submit/fronts/look_ahead.hpp"
#include "submit/fronts/submit_front.hpp"
#include "submit/fronts/submit_threshold.hpp"
#include "submit/fronts/shared/submit_shared_pivots.hpp"
#include "submit/fronts/task_work.hpp"
#include "tasks/factor_diagonal/factor_diagonal.hpp"
#include "tasks/solve_panel/solve_panel.hpp"
#include "tasks/update_tile/update_tile.hpp"

namespace frond::detail {
namespace {

/// Right-looking elimination of the own columns (L U: and rows) of a front on tiles, with pivots inside the diagonal tile:
/// L U, or L L^H or L D L^T (L D L^H) on the tiles on and below the diagonal.
/// L D L^T keeps the panels L D of the last panels in a panel backup, which the updates read as right factor; L U, with
/// threshold pivoting, keeps a panel before its solve there.
/// Of a front that several ranks share each does the tasks that write its own tiles, in this order, and panels travel in
/// between.
template <class T>
class Elimination {
public:
    Elimination(FactorizationContext<T>& context, FrontRun<T>& run)
        : context_(context),
          run_(run),
          front_(*run.tiled),
          kind_(run.tiled->kind()),
          lu_(kind_ == Factorization::lu),
          indefinite_(has_block_diagonal(kind_)),
          threshold_(context.rule.threshold > 0) {}

    void submit() {
        run_.backup_uses_left.store(1);
        if (run_.pivots != nullptr) submit_failed_start(context_, run_, priority(0, PanelRole::pivots));
        for (index_t k = 0; k < front_.own_tiles(); ++k) {
            if (context_.rows != nullptr) submit_row_selection(context_, run_, k, priority(k, PanelRole::pivots));
            if (front_.is_here(k, k)) factor(k);
            exchange(k, UnitMessages::Stage::diagonal, PanelRole::pivots);
            for (index_t i = k + 1; i < front_.tiles(); ++i) {
                if (front_.is_here(i, k)) solve(k, i, k);
                if (lu_ && front_.is_here(k, i)) solve(k, k, i);
            }
            inverses_.release_when_unused();
            if (run_.pivots != nullptr) decide_pivots(k);
            exchange(k, UnitMessages::Stage::tiles, PanelRole::solve);
            if (threshold_) accept_pivots(k);
            for (index_t j = k + 1; j < front_.tiles(); ++j)
                for (index_t i = lu_ ? k + 1 : j; i < front_.tiles(); ++i)
                    if (front_.is_here(i, j)) update(k, i, j);
        }
        if (kind_ == Factorization::llt && !is_shared()) return;
        run_.failed_handle.release_when_unused();
        front_.unregister_panel_backup();
        if (is_shared()) run_.panels->unregister();
        if (run_.pivots != nullptr) run_.pivots->unregister();
        after_backup_use<T>(&run_);
    }

private:
    bool is_shared() const { return run_.panels != nullptr; }

    void exchange(index_t k, UnitMessages::Stage stage, PanelRole role) {
        if (is_shared()) exchange_panel(context_, run_, k, stage, priority(k, role));
    }

    /// Tiles of panel k, and its record.
    starpu_data_handle_t lower_tile(index_t i, index_t k) const {
        return front_.is_here(i, k) ? front_.handle(i, k) : run_.panels->lower(i, k);
    }
    starpu_data_handle_t upper_tile(index_t k, index_t j) const {
        return front_.is_here(k, j) ? front_.handle(k, j) : run_.panels->upper(k, j);
    }
    starpu_data_handle_t record(index_t k) const {
        return front_.is_here(k, k) ? front_.record_handle(k) : run_.panels->record(k);
    }

    double size(index_t t) const { return front_.grid().size(t); }

    /// Work from panel k to the end of the root; of a front that other ranks share, from a panel that it goes before.
    int priority(index_t k, PanelRole role) const {
        const Analysis& analysis = *context_.state->analysis;
        const auto f = static_cast<std::size_t>(run_.front);
        const double done = static_cast<double>(is_shared() ? place_of_panel(k, role) : k) / front_.own_tiles();
        return context_.priority(analysis.mapping.bottom_level_flops[f] - done * analysis.cost.front_flops[f],
                                 static_cast<int>(role));
    }

    /// Of a task that uses the panel backup, or what was received.
    AfterTask after_backup() {
        if (kind_ == Factorization::llt && !is_shared()) return {};
        run_.backup_uses_left.fetch_add(1, std::memory_order_relaxed);
        return {after_backup_use<T>, &run_};
    }

    /// Of a task on tile (i, j) by panel k.
    template <class Arguments>
    Arguments arguments(index_t i, index_t j, index_t k, double flops) const {
        Arguments a;
        a.flops = flops * flops_per_real<T>;
        a.seconds = &run_.seconds;
        a.place = run_.place;
        a.label = label_of(context_, run_, i, j, k);
        return a;
    }

    void factor(index_t k) {
        auto a = arguments<FactorDiagonalArguments>(k, k, k,
                                                    lu_ ? factor_lu_flops(size(k)) : factor_symmetric_flops(size(k)));
        a.kind = kind_;
        a.rule = context_.rule;
        a.workspaces = context_.workspaces;
        const auto& pairs = context_.state->analysis->pair_with_next;
        if (!lu_ && !pairs.empty())
            a.pair_with_next =
                pairs.data() + front_.front().first_column + front_.grid().cut[static_cast<std::size_t>(k)];
        a.variant = variant_of(kind_, context_.rule);
        inverses_ = inverses_of_panel<T>(run_, k);
        a.with_inverses = static_cast<bool>(inverses_);
        a.searches_tile = context_.state->dense.has_value();
        const Access accesses[] = {{front_.handle(k, k), STARPU_RW},
                                   {front_.record_handle(k), STARPU_W},
                                   {inverses_.get(), STARPU_W}};
        insert_task(*context_.job, factor_diagonal_codelet<T>(), a, std::span(accesses, inverses_ ? 3 : 2),
                    priority(k, PanelRole::pivots));
    }

    /// Tile (i, k), or (k, j) of U.
    void solve(index_t k, index_t i, index_t j) {
        context_.make_room();
        const bool upper = i == k, limited = threshold_ && !upper;
        const bool backed_up = lu_ ? limited : indefinite_;
        auto a = arguments<SolvePanelArguments>(i, j, k, solve_panel_flops(size(upper ? j : i), size(k)));
        a.kind = kind_;
        a.upper = upper;
        if (limited) a.bound = 1 / context_.rule.threshold;
        a.variant = upper ? "lu upper" : variant_of(kind_, context_.rule);
        a.workspaces = context_.workspaces;
        a.with_inverses = static_cast<bool>(inverses_);
        std::vector<Access> accesses{{lower_tile(k, k), STARPU_R}};
        if (kind_ != Factorization::llt) accesses.push_back({record(k), STARPU_R});
        accesses.push_back({front_.handle(i, j), STARPU_RW});
        if (backed_up) accesses.push_back({backup(i, k, a.label), STARPU_W});
        if (backed_up && !is_shared()) a.new_bytes = front_.new_backup_bytes(i, k);
        if (inverses_) accesses.push_back({inverses_.get(), STARPU_R});
        if (inverses_ && kind_ == Factorization::llt) accesses.push_back({front_.record_handle(k), STARPU_R});
        insert_task(*context_.job, solve_panel_codelet<T>(), a, accesses, priority(k, PanelRole::solve),
                    backed_up || is_shared() ? after_backup() : AfterTask{});
    }

    /// Place for a copy of tile (i, k) or its L D.
    starpu_data_handle_t backup(index_t i, index_t k, const TaskLabel& label) {
        if (!is_shared()) return front_.backup_handle(i, k);
        if (lu_) {
            run_.panels->open_backup(*context_.job, i, k, label, priority(k, PanelRole::solve));
            return run_.panels->backup(i, k);
        }
        run_.panels->open_upper(*context_.job, k, i, label, priority(k, PanelRole::solve));
        return run_.panels->upper(k, i);
    }

    void decide_pivots(index_t k) {
        PanelOfRanks<T> panel;
        panel.k = k;
        panel.priority = priority(k, PanelRole::pivots);
        panel.backup = [&](index_t i) { return lu_ ? run_.panels->backup(i, k) : run_.panels->upper(k, i); };
        panel.diagonal = lower_tile(k, k);
        panel.record = record(k);
        submit_decide_pivots(context_, run_, panel);
    }

    void accept_pivots_of_ranks(index_t k) {
        submit_update_failed(
            context_, run_, k, [&](index_t t) { return lower_tile(t, k); },
            [&](index_t t) { return right_factor(k, t); }, priority(k, PanelRole::pivots));
        if (k + 1 == front_.own_tiles()) submit_eliminate_shared(context_, run_, priority(k + 1, PanelRole::pivots));
    }

    void accept_pivots(index_t k) {
        if (run_.pivots != nullptr) return accept_pivots_of_ranks(k);
        submit_accept_pivots(context_, run_, k, priority(k, PanelRole::pivots), after_backup());
        if (k + 1 == front_.own_tiles()) submit_eliminate_failed(context_, run_, priority(k + 1, PanelRole::pivots));
    }

    starpu_data_handle_t right_factor(index_t k, index_t j) {
        if (lu_) return upper_tile(k, j);
        if (!indefinite_) return lower_tile(j, k);
        return is_shared() ? run_.panels->upper(k, j) : front_.backup_handle(j, k);
    }

    void update(index_t k, index_t i, index_t j) {
        context_.make_room();
        const bool lower = !lu_ && i == j;
        auto a = arguments<UpdateArguments>(
            i, j, k, lower ? update_lower_flops(size(i), size(k)) : update_flops(size(i), size(j), size(k)));
        a.shape = lu_ ? UpdateShape::general : lower ? UpdateShape::lower : UpdateShape::transposed;
        a.adjoint = !lu_ && kind_ != Factorization::ldlt;
        a.same = lower && !indefinite_;
        a.variant = variant_of(a, kind_);
        std::vector<Access> accesses{{lower_tile(i, k), STARPU_R}};
        if (!a.same) accesses.push_back({right_factor(k, j), STARPU_R});
        accesses.push_back({front_.handle(i, j), STARPU_RW});
        add_second_pass(context_, run_, k, i, j, a, accesses);
        const bool next_panel = std::min(i, j) == k + 1 && k + 1 < front_.own_tiles();
        insert_task(*context_.job, update_tile_codelet<T>(), a, accesses,
                    priority(k, next_panel ? PanelRole::next_panel : PanelRole::update),
                    indefinite_ || is_shared() ? after_backup() : AfterTask{});
    }

    FactorizationContext<T>& context_;
    FrontRun<T>& run_;
    TiledFront<T>& front_;
    Factorization kind_;
    bool lu_, indefinite_, threshold_;
    DataHandle inverses_;  // of the panel that is being submitted
};

}  // namespace

template <class T>
void submit_elimination(FactorizationContext<T>& context, FrontRun<T>& run) {
    Elimination<T>(context, run).submit();
}

#define FROND_INSTANTIATE(T) template void submit_elimination<T>(FactorizationContext<T>&, FrontRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
