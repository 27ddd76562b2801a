// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution that belongs to columns which threshold pivoting eliminated late: their
// values lie in segments of this front or of any unit below it.
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "substitution/substitution_run.hpp"

namespace frond::detail {

template <class T>
starpu_data_handle_t Substitution<T>::handle_of_slot(index_t slot) const {
    const auto unit = std::lower_bound(units_.begin(), units_.end(), slot,
                                       [](const Unit& u, index_t s) { return u.planned->end_column <= s; });
    if (!unit->whole.empty()) return columns_handle(*unit);
    const std::vector<index_t>& cut = unit->tiled->grid().cut;
    const index_t local = slot - unit->planned->first_column;
    const auto tile = std::upper_bound(cut.begin(), cut.end(), local) - cut.begin() - 1;
    return unit->tiles[static_cast<std::size_t>(tile)].handle.get();
}

/// All segments of x with columns of the unit's leftover, and the unit's own; empty without leftover.
template <class T>
std::vector<starpu_data_handle_t> Substitution<T>::handles_of_leftover(Unit& unit) const {
    std::vector<starpu_data_handle_t> handles;
    if (!unit.has_leftover()) return handles;
    std::vector<Operand> own;
    add_outside(unit, true, false, STARPU_RW, own);
    for (const Operand& o : own) handles.push_back(o.handle);
    for (const index_t s : unit.tiled->leftover().row_slot) handles.push_back(handle_of_slot(s));
    for (const index_t s : unit.tiled->leftover().column_slot) handles.push_back(handle_of_slot(s));
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    return handles;
}

template <class T>
void Substitution<T>::leftover(Unit& unit, SolveStage stage, Here here) {
    if (!unit.has_leftover()) return;
    LeftoverSolveArguments<T> a;
    a.stage = stage;
    a.operation = operation_;
    a.kind = state_.kind();
    a.leftover = &unit.tiled->leftover();
    a.own_first = unit.planned->first_column;
    a.x = x_;
    a.y = unit.y;
    std::vector<Operand> operands;
    if (here == Here::no) {
        for (const starpu_data_handle_t h : handles_of_leftover(unit)) operands.push_back({h, nullptr, STARPU_RW});
        if (stage != SolveStage::diagonal)
            add_outside(unit, false, true, stage == SolveStage::forward ? STARPU_RW : STARPU_R, operands);
    }
    run(here, leftover_solve_codelet<T>(), a, operands, 3);
}

#define FROND_INSTANTIATE(T)                                                                      \
    template starpu_data_handle_t Substitution<T>::handle_of_slot(index_t) const;                 \
    template std::vector<starpu_data_handle_t> Substitution<T>::handles_of_leftover(Unit&) const; \
    template void Substitution<T>::leftover(Unit&, SolveStage, Here);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
