// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/exchange/exchange_panels.hpp"
#include "submit/fronts/look_ahead.hpp"
#include "submit/fronts/panel_data.hpp"
#include "submit/fronts/submit_front.hpp"
#include "submit/fronts/submit_threshold.hpp"
#include "submit/fronts/shared/submit_shared_pivots.hpp"
#include "submit/fronts/task_work.hpp"
#include "tasks/panel/factor_diagonal.hpp"
#include "tasks/panel/solve_panel.hpp"
#include "tasks/panel/update_tile.hpp"

namespace frond::detail {
namespace {

/// Right-looking elimination of the own columns (L U: and rows) of a front on tiles, with pivots inside the diagonal tile:
/// L U, or L L^H or L D L^T (L D L^H) on the tiles on and below the diagonal.
/// L D L^T keeps the panels L D of the last panels in a panel backup, which the updates read as right factor; L U, with
/// threshold pivoting, keeps a panel before its solve there.
/// If several ranks share a front, each does the tasks that write its own tiles, in this order, and panels travel in
/// between.
template <class T>
class Elimination {
public:
    Elimination(FactorizationContext<T>& context, FrontRun<T>& run)
        : context_(context),
          run_(run),
          data_(context, run),
          front_(*run.tiled),
          kind_(run.tiled->kind()),
          lu_(kind_ == Factorization::lu),
          indefinite_(has_block_diagonal(kind_)),
          threshold_(context.rule.threshold > 0) {}

    void submit() {
        run_.backup_uses_left.store(1);
        if (run_.pivots != nullptr) submit_failed_start(context_, run_, data_.priority(0, PanelRole::pivots));
        for (index_t k = 0; k < front_.own_tiles(); ++k) {
            if (context_.rows != nullptr) submit_row_selection(context_, run_, k, data_.priority(k, PanelRole::pivots));
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
        if (kind_ == Factorization::llt && !data_.is_shared()) return;
        run_.failed_handle.release_when_unused();
        front_.unregister_panel_backup();
        if (data_.is_shared()) run_.panels->unregister();
        if (run_.pivots != nullptr) run_.pivots->unregister();
        after_backup_use<T>(&run_);
    }

private:
    void exchange(index_t k, UnitMessages::Stage stage, PanelRole role) {
        if (data_.is_shared()) exchange_panel(context_, run_, k, stage, data_.priority(k, role));
    }

    /// What follows a task that uses the panel backup, or what was received.
    AfterTask after_backup() {
        if (kind_ == Factorization::llt && !data_.is_shared()) return {};
        run_.backup_uses_left.fetch_add(1, std::memory_order_relaxed);
        return {after_backup_use<T>, &run_};
    }

    void factor(index_t k) {
        auto a = data_.template arguments<FactorDiagonalArguments>(
            k, k, k, lu_ ? factor_lu_flops(data_.size(k)) : factor_symmetric_flops(data_.size(k)));
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
        a.searches_tile = context_.state->system.dense() != nullptr;
        const Access accesses[] = {{front_.handle(k, k), STARPU_RW},
                                   {front_.record_handle(k), STARPU_W},
                                   {inverses_.get(), STARPU_W}};
        insert_task(*context_.job, factor_diagonal_codelet<T>(), a, std::span(accesses, inverses_ ? 3 : 2),
                    data_.priority(k, PanelRole::pivots));
    }

    /// Tile (i, k), or (k, j) of U.
    void solve(index_t k, index_t i, index_t j) {
        context_.make_room();
        const bool upper = i == k, limited = threshold_ && !upper;
        const bool backed_up = lu_ ? limited : indefinite_;
        auto a =
            data_.template arguments<SolvePanelArguments>(i, j, k,
                                                          solve_panel_flops(data_.size(upper ? j : i), data_.size(k)));
        a.kind = kind_;
        a.upper = upper;
        if (limited) a.bound = 1 / context_.rule.threshold;
        a.variant = upper ? "lu upper" : variant_of(kind_, context_.rule);
        a.workspaces = context_.workspaces;
        a.with_inverses = static_cast<bool>(inverses_);
        std::vector<Access> accesses{{data_.lower_tile(k, k), STARPU_R}};
        if (kind_ != Factorization::llt) accesses.push_back({data_.record(k), STARPU_R});
        accesses.push_back({front_.handle(i, j), STARPU_RW});
        if (backed_up) accesses.push_back({data_.backup(i, k, a.label), STARPU_W});
        if (backed_up && !data_.is_shared()) a.new_bytes = front_.new_backup_bytes(i, k);
        if (inverses_) accesses.push_back({inverses_.get(), STARPU_R});
        if (inverses_ && kind_ == Factorization::llt) accesses.push_back({front_.record_handle(k), STARPU_R});
        insert_task(*context_.job, solve_panel_codelet<T>(), a, accesses, data_.priority(k, PanelRole::solve),
                    backed_up || data_.is_shared() ? after_backup() : AfterTask{});
    }

    void decide_pivots(index_t k) {
        PanelOfRanks<T> panel;
        panel.k = k;
        panel.priority = data_.priority(k, PanelRole::pivots);
        panel.backup = [&](index_t i) { return lu_ ? run_.panels->backup(i, k) : run_.panels->upper(k, i); };
        panel.diagonal = data_.lower_tile(k, k);
        panel.record = data_.record(k);
        submit_decide_pivots(context_, run_, panel);
    }

    void accept_pivots_of_ranks(index_t k) {
        submit_update_failed(
            context_, run_, k, [&](index_t t) { return data_.lower_tile(t, k); },
            [&](index_t t) { return data_.right_factor(k, t); }, data_.priority(k, PanelRole::pivots));
        if (k + 1 == front_.own_tiles())
            submit_eliminate_shared(context_, run_, data_.priority(k + 1, PanelRole::pivots));
    }

    void accept_pivots(index_t k) {
        if (run_.pivots != nullptr) return accept_pivots_of_ranks(k);
        submit_accept_pivots(context_, run_, k, data_.priority(k, PanelRole::pivots), after_backup());
        if (k + 1 == front_.own_tiles())
            submit_eliminate_failed(context_, run_, data_.priority(k + 1, PanelRole::pivots));
    }

    void update(index_t k, index_t i, index_t j) {
        context_.make_room();
        const bool lower = !lu_ && i == j;
        auto a = data_.template arguments<UpdateArguments>(i, j, k,
                                                           lower ? update_lower_flops(data_.size(i), data_.size(k))
                                                                 : update_flops(data_.size(i), data_.size(j),
                                                                                data_.size(k)));
        a.shape = lu_ ? UpdateShape::general : lower ? UpdateShape::lower : UpdateShape::transposed;
        a.adjoint = !lu_ && kind_ != Factorization::ldlt;
        a.same = lower && !indefinite_;
        a.variant = variant_of(a, kind_);
        std::vector<Access> accesses{{data_.lower_tile(i, k), STARPU_R}};
        if (!a.same) accesses.push_back({data_.right_factor(k, j), STARPU_R});
        accesses.push_back({front_.handle(i, j), STARPU_RW});
        add_second_pass(context_, run_, k, i, j, a, accesses);
        const bool next_panel = std::min(i, j) == k + 1 && k + 1 < front_.own_tiles();
        insert_task(*context_.job, update_tile_codelet<T>(), a, accesses,
                    data_.priority(k, next_panel ? PanelRole::next_panel : PanelRole::update),
                    indefinite_ || data_.is_shared() ? after_backup() : AfterTask{});
    }

    FactorizationContext<T>& context_;
    FrontRun<T>& run_;
    PanelData<T> data_;
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
