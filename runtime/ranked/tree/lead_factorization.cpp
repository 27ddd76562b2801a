// SPDX-License-Identifier: BSD-3-Clause
// A factorization by several ranks as rank 0 begins and ends it.
#include <algorithm>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "ranked/tree/factor_command.hpp"
#include "ranked/tree/rank_tree.hpp"
#include "ranked/tree/sharing.hpp"
#include "ranks/collectively.hpp"
#include "ranks/parcels.hpp"
#include "submit/fronts/unit_factorization.hpp"

namespace frond::detail {

/// The numbers of all factorizations whose factors somebody may still use, on rank 0.
template <class T>
std::vector<std::int64_t> RankTree<T>::alive_factors() {
    std::vector<std::int64_t> alive;
    std::erase_if(shares_, [&](const std::weak_ptr<const TreeShare>& known) {
        const auto share = known.lock();
        if (share != nullptr) alive.push_back(share->number);
        return share == nullptr;
    });
    return alive;
}

template <class T>
void RankTree<T>::begin_factorization(const FactorsState<T>& state, const T* entries, const Factoring& how,
                                      const std::function<void()>& make) {
    deal(state.analysis);
    FactorCommand<T> command{state.factors.ownership.share->number,
                             alive_factors(),
                             state.report.pivoting,
                             state.factors.selects_rows,
                             how,
                             how.can_be_cancelled,
                             {},
                             {}};
    if (state.system.dense()) {
        command.row_scale = state.system.scaling->row;
        command.column_scale = state.system.scaling->column;
    }
    team_.ask(Command::factor, command);
    collectively(team_.ranks(), make);
    if (rows_ == nullptr) deal_entries(*state.analysis, *state.factors.ownership.share, entries, nullptr);
    begin_counting();
}

template <class T>
index_t RankTree<T>::failing_unit() const {
    return detail::failing_unit();
}

template <class T>
void RankTree<T>::end_factorization(FactorsState<T>& state, std::exception_ptr error, PivotReport& pivots) {
    team_.board().watch(nullptr, 0);
    team_.throw_cause(std::move(error));
    part_.factor_messages = end_counting();
    keep_part(state);
    gather_pivots(state, pivots);
}

#define FROND_INSTANTIATE(T)                                                                           \
    template void RankTree<T>::begin_factorization(const FactorsState<T>&, const T*, const Factoring&, \
                                                   const std::function<void()>&);                      \
    template index_t RankTree<T>::failing_unit() const;                                                \
    template void RankTree<T>::end_factorization(FactorsState<T>&, std::exception_ptr, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
