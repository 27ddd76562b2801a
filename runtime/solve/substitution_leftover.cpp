// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution that belongs to columns which threshold pivoting eliminated late: their
// values lie in segments of this front or of any unit below it.
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "solve/substitution.hpp"
#include "submit/insert_task.hpp"

namespace frond::detail {

template <class T>
starpu_data_handle_t Substitution<T>::segment_of_slot(index_t slot) const {
    const AssemblyTree& tree = state_.analysis->tree;
    const auto last_column = [&tree](const Unit& unit) {
        const Front& front = tree.fronts[static_cast<std::size_t>(unit.front)];
        return front.first_column + front.npiv - 1;
    };
    const auto unit = std::lower_bound(
        units_.begin(), units_.end(), slot,
        [&](const Unit& u, index_t s) { return last_column(u) < s; });
    if (unit->tiled == nullptr) return unit->own[0].get();
    const std::vector<index_t>& cut = unit->tiled->grid().cut;
    const index_t local = slot - unit->tiled->front().first_column;
    const auto tile = std::upper_bound(cut.begin(), cut.end(), local) - cut.begin() - 1;
    return unit->own[static_cast<std::size_t>(tile)].get();
}

template <class T>
void Substitution<T>::leftover(Unit& unit, SolveStage stage) {
    if (!unit.tiled->has_leftover()) return;
    const cpu::Leftover<T>& factors = unit.tiled->leftover();
    LeftoverSolveArguments<T> a;
    a.stage = stage;
    a.operation = operation_;
    a.kind = state_.kind();
    a.leftover = &factors;
    a.own_first = unit.tiled->front().first_column;
    a.x = x_;
    a.y = unit.y;
    std::vector<starpu_data_handle_t> written;
    for (const DataHandle& h : unit.own) written.push_back(h.get());
    for (const index_t s : factors.row_slot) written.push_back(segment_of_slot(s));
    for (const index_t s : factors.column_slot) written.push_back(segment_of_slot(s));
    std::sort(written.begin(), written.end());
    written.erase(std::unique(written.begin(), written.end()), written.end());
    std::vector<Access> accesses;
    for (const starpu_data_handle_t h : written) accesses.push_back({h, STARPU_RW});
    if (stage != SolveStage::diagonal)
        for (const DataHandle& h : unit.contribution)
            accesses.push_back({h.get(), stage == SolveStage::forward ? STARPU_RW : STARPU_R});
    insert_task(job_, leftover_solve_codelet<T>(), a, accesses, 3);
}

#define FROND_INSTANTIATE(T)                                                          \
    template starpu_data_handle_t Substitution<T>::segment_of_slot(index_t) const;   \
    template void Substitution<T>::leftover(Unit&, SolveStage);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
