// SPDX-License-Identifier: BSD-3-Clause
// A factorization by several ranks as those other than rank 0 do their part in it.
#include <algorithm>
#include <optional>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/dealt/dealt_entries.hpp"
#include "ranked/tree/factor_command.hpp"
#include "ranked/tree/pivot_parcel.hpp"
#include "ranked/tree/rank_tree.hpp"
#include "ranked/tree/sharing.hpp"
#include "ranks/collectively.hpp"
#include "session/parallel_for.hpp"
#include "submit/branches/branch_factorization.hpp"
#include "submit/fronts/unit_factorization.hpp"
#include "submit/room_for_tiles.hpp"

namespace frond::detail {
namespace {

/// The input of the units, without the branches.
template <class T>
typename UnitFactorization<T>::Input input_of(const FactorCommand<T>& command, T* entries, count_t memory_budget_bytes,
                                              index_t failing_unit, const std::atomic<bool>& stop) {
    typename UnitFactorization<T>::Input input;
    input.entries = entries;
    input.rule = command.how.rule;
    input.memory_budget_bytes = memory_budget_bytes;
    input.failing_unit = failing_unit;
    if (command.can_be_cancelled) input.cancel = &stop;
    return input;
}

/// Cards of this rank take its branches, and tiles where they have room for them.
template <class T>
void use_cards(SessionState& session, const FactorCommand<T>& command, FactorsState<T>& state,
               typename UnitFactorization<T>::Input& input, std::optional<HoldPause>& pause,
               std::optional<BranchFactorization<T>>& branches) {
    if (!session.has_devices()) return;
    pause.emplace(session);
    if (command.selects_rows == SelectsRows::no && have_room_for_tiles(state)) input.runner = Runner::cores_and_devices;
    branches.emplace(state, input, command.how.place);
    input.made = &*branches;
}

/// What the tiles of a dense matrix come from, and which of its rows they exchange; of a sparse one nothing.
template <class T>
struct DenseInput {
    void give_to(FactorizationContext<T>& context, const FactorsState<T>& state) {
        context.loading = loading.get();
        use_row_selection(state, rows, context);
    }

    Scaling scaling;
    RowSelection rows;
    std::unique_ptr<DenseLoading<T>> loading;
};

}  // namespace

template <class T>
void RankTree<T>::take(const FactorCommand<T>& command) {
    number_ = command.number;
    std::erase_if(factors_, [&](const auto& known) {
        return std::find(command.alive.begin(), command.alive.end(), known.first) == command.alive.end();
    });
}

template <class T>
std::shared_ptr<FactorsState<T>> RankTree<T>::state_for(const FactorCommand<T>& command) {
    auto state = std::make_shared<FactorsState<T>>(session_, analysis_);
    state->report.pivoting = command.pivoting;
    state->system.largest_entry = command.how.largest_entry;
    if (dense_ != nullptr) state->system.form = dense_->part().view();
    state->factors.selects_rows = command.selects_rows;
    state->factors.ownership.share =
        share_of(*analysis_, rule_of<T>(*analysis_, command.pivoting == Pivoting::threshold,
                                        command.selects_rows == SelectsRows::all_ranks));
    return state;
}

/// Null: A is sparse, and its entries come with the command.
template <class T>
std::unique_ptr<DenseLoading<T>> RankTree<T>::loading_for(const FactorsState<T>& state, const Scaling& scaling) const {
    if (dense_ == nullptr) return nullptr;
    return dense_->shared_loading(analysis_->mapping.grids.front(), analysis_->factorization, scaling,
                                  *state.factors.ownership.share);
}

template <class T>
void RankTree<T>::serve_factorization(Unpacker& arguments) {
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    std::shared_ptr<FactorsState<T>> state;
    std::optional<BranchFactorization<T>> branches;
    std::optional<UnitFactorization<T>> units;
    std::optional<HoldPause> pause;
    std::optional<JobGuard> guard;
    HostBlock entries;
    FactorCommand<T> command;
    DenseInput<T> dense;
    collectively(team_.ranks(), [&] {
        command.visit(arguments);
        take(command);
    });
    collectively(team_.ranks(), [&] {
        state = state_for(command);
        guard.emplace(*session_);
        entries = rows_ != nullptr ? rows_->take_entries()
                                   : HostBlock(static_cast<count_t>(analysis_->entry_map.row.size() * sizeof(T)));
        auto input = input_of(command, static_cast<T*>(entries.data()), memory_budget_bytes_, failing_unit(),
                              team_.board().stop());
        use_cards(*session_, command, *state, input, pause, branches);
        units.emplace(*state, predicted(*state), input);
        dense.scaling.row = std::move(command.row_scale);
        dense.scaling.column = std::move(command.column_scale);
        dense.loading = loading_for(*state, dense.scaling);
        dense.give_to(units->context(), *state);
    });
    if (rows_ == nullptr)
        deal_entries(*analysis_, *state->factors.ownership.share, nullptr, static_cast<T*>(entries.data()));
    begin_counting();
    PivotReport pivots;
    team_.throw_cause(run(*units, *state, pivots));
    part_.factor_messages = end_counting();
    keep_part(*state);
    gather_pivots(*state, pivots);
    factors_[number_] = std::move(state);
}

/// The error of this rank, or null.
template <class T>
std::exception_ptr RankTree<T>::run(UnitFactorization<T>& units, FactorsState<T>& state, PivotReport& pivots) {
    const JobWatch<OtherRanks<T>> watch(*this, units.job(), number_);
    units.submit();
    units.end_loading();
    units.finish();
    try {
        units.job().wait();
        units.collect(state.report, pivots);
        list_own_pivots(state.factors, parallel_for_outside_jobs(*session_, "pivots"));
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

#define FROND_INSTANTIATE(T) template void RankTree<T>::serve_factorization(Unpacker&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
