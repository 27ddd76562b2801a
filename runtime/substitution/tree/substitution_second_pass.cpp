// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution that belongs to columns which threshold pivoting eliminated late: their
// values lie in segments of this front or of any unit below it.
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "substitution/tree/substitution_run.hpp"
#include "substitution/tree/position_routes.hpp"
#include "tasks/solve_second_pass/solve_second_pass.hpp"

namespace frond::detail {

template <class T>
starpu_data_handle_t Substitution<T>::handle_of_position(index_t position) const {
    const Unit& unit = units_[at(unit_of_position(plan_.units, position))];
    if (!unit.whole.empty()) return columns_handle(unit);
    if (!unit.beside.empty()) return unit.beside.front().handle.get();
    const std::vector<index_t>& cut = unit.grid->cut;
    const index_t local = position - unit.planned->first_column;
    const auto tile = std::upper_bound(cut.begin(), cut.end(), local) - cut.begin() - 1;
    return unit.tiles[static_cast<std::size_t>(tile)].handle.get();
}

template <class T>
std::vector<starpu_data_handle_t> Substitution<T>::handles_of_positions(const std::vector<index_t>& positions) const {
    std::vector<starpu_data_handle_t> handles;
    for (const index_t s : positions) handles.push_back(handle_of_position(s));
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    return handles;
}

/// All segments of x with columns of the unit's second pass, and the unit's own; empty without second pass.
template <class T>
std::vector<starpu_data_handle_t> Substitution<T>::handles_of_second_pass(Unit& unit) const {
    std::vector<starpu_data_handle_t> handles;
    if (!unit.has_second_pass()) return handles;
    std::vector<Operand> own;
    add_outside(unit, true, false, STARPU_RW, own);
    for (const Operand& o : own) handles.push_back(o.handle);
    for (const index_t s : unit.tiled->second_pass().row_position) handles.push_back(handle_of_position(s));
    for (const index_t s : unit.tiled->second_pass().column_position) handles.push_back(handle_of_position(s));
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    return handles;
}

template <class T>
void Substitution<T>::second_pass(Unit& unit, SolveStage stage, Execution execution) {
    if (!unit.has_second_pass()) return;
    SecondPassSolveArguments<T> a;
    a.stage = stage;
    a.operation = operation_;
    a.kind = state_.kind();
    a.second_pass = &unit.tiled->second_pass();
    a.own_first = unit.planned->first_column;
    a.x = x_;
    a.y = unit.y;
    a.label = label_of(unit, stage);
    std::vector<Operand> operands;
    if (execution == Execution::as_tasks) {
        for (const starpu_data_handle_t h : handles_of_second_pass(unit)) operands.push_back({h, nullptr, STARPU_RW});
        if (stage != SolveStage::diagonal)
            add_outside(unit, false, true, stage == SolveStage::forward ? STARPU_RW : STARPU_R, operands);
    }
    run(execution, solve_second_pass_codelet<T>(), a, operands, 3);
}

#define FROND_INSTANTIATE(T)                                                                                      \
    template starpu_data_handle_t Substitution<T>::handle_of_position(index_t) const;                             \
    template std::vector<starpu_data_handle_t> Substitution<T>::handles_of_positions(const std::vector<index_t>&) \
        const;                                                                                                    \
    template std::vector<starpu_data_handle_t> Substitution<T>::handles_of_second_pass(Unit&) const;              \
    template void Substitution<T>::second_pass(Unit&, SolveStage, Execution);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
