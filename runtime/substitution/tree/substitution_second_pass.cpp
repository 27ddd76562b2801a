// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution that belongs to columns which threshold pivoting eliminated late: their
// values lie in segments of this front or of any unit below it.
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "substitution/tree/substitution_run.hpp"
#include "substitution/tree/position_routes.hpp"
#include "tasks/solve/solve_second_pass.hpp"

namespace frond::detail {

template <class T>
typename Substitution<T>::RowPlace Substitution<T>::place_of_position(index_t position) const {
    const Unit& unit = units_[at(unit_of_position(plan_.units, position))];
    const index_t local = position - unit.planned->first_column;
    if (!unit.whole.empty()) {
        const index_t group = plan_.way == SubstitutionWay::groups ? unit.planned->group : -1;
        const index_t first =
            group < 0 ? unit.planned->first_column : units_[at(plan_.groups[at(group)].first)].planned->first_column;
        return {columns_handle(unit), position - first};
    }
    if (!unit.beside.empty()) return {unit.beside.front().handle.get(), local};
    const std::vector<index_t>& cut = unit.grid->cut;
    const auto tile = std::upper_bound(cut.begin(), cut.end(), local) - cut.begin() - 1;
    return {unit.tiles[static_cast<std::size_t>(tile)].handle.get(), local - cut[static_cast<std::size_t>(tile)]};
}

/// segments: of the positions at least, ascending.
template <class T>
std::vector<SegmentRow> Substitution<T>::rows_in(const std::vector<DataRef>& segments,
                                                 const std::vector<index_t>& positions) const {
    std::vector<SegmentRow> rows;
    rows.reserve(positions.size());
    for (const index_t position : positions) {
        const RowPlace place = place_of_position(position);
        const auto segment = std::lower_bound(segments.begin(), segments.end(), place.handle) - segments.begin();
        rows.push_back({static_cast<int>(segment), place.row});
    }
    return rows;
}

template <class T>
std::vector<DataRef> Substitution<T>::handles_of_positions(const std::vector<index_t>& positions) const {
    std::vector<DataRef> handles;
    for (const index_t s : positions) handles.push_back(place_of_position(s).handle);
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    return handles;
}

/// All segments of x with columns of the unit's second pass, and the unit's own; empty without second pass.
template <class T>
std::vector<DataRef> Substitution<T>::handles_of_second_pass(Unit& unit) const {
    std::vector<DataRef> handles;
    if (!unit.has_second_pass()) return handles;
    std::vector<Operand> own;
    add_outside(unit, true, false, STARPU_RW, own);
    for (const Operand& o : own) handles.push_back(o.handle);
    for (const index_t s : unit.tiled->second_pass().row_position) handles.push_back(place_of_position(s).handle);
    for (const index_t s : unit.tiled->second_pass().column_position) handles.push_back(place_of_position(s).handle);
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    return handles;
}

/// Own columns first, in their order.
template <class T>
const SecondPassGather& Substitution<T>::gather_of_second_pass(Unit& unit) {
    const auto [found, is_new] = gathers_.try_emplace(&unit);
    SecondPassGather& gather = found->second;
    if (!is_new) return gather;
    std::vector<index_t> positions;  // of each row of the gathered vector
    std::map<index_t, index_t> row_of;
    const auto row_at = [&](index_t position) {
        const auto [known, is_new_row] = row_of.try_emplace(position, static_cast<index_t>(positions.size()));
        if (is_new_row) positions.push_back(position);
        return known->second;
    };
    const cpu::SecondPass<T>& factors = unit.tiled->second_pass();
    for (index_t k = 0; k < factors.npiv; ++k) row_at(unit.planned->first_column + k);
    const auto rows_at = [&](const std::vector<index_t>& wanted) {
        std::vector<index_t> rows;
        for (const index_t position : wanted) rows.push_back(row_at(position));
        return rows;
    };
    gather.row = rows_at(factors.row_position);
    gather.row_after = rows_at(factors.row_position_after);
    gather.column = rows_at(factors.column_position);
    const std::vector<DataRef> segments = handles_of_second_pass(unit);
    gather.segments = static_cast<int>(segments.size());
    gather.rows = rows_in(segments, positions);
    return gather;
}

template <class T>
void Substitution<T>::submit_second_pass(Unit& unit, SolveStage stage) {
    SecondPassSolveArguments a;
    a.stage = stage;
    a.operation = operation_;
    a.kind = factors_.kind();
    a.gather = &gather_of_second_pass(unit);
    a.label = label_of(unit, stage);
    std::vector<Operand> operands{{unit.tiled->second_pass_handle(), nullptr, STARPU_R}};
    for (const DataRef h : handles_of_second_pass(unit)) operands.push_back({h, nullptr, STARPU_RW});
    const std::size_t positions_end = operands.size();
    if (stage != SolveStage::diagonal)
        add_outside(unit, false, true, stage == SolveStage::forward ? STARPU_RW : STARPU_R, operands);
    a.contribution_segments = static_cast<int>(operands.size() - positions_end);
    run(Execution::as_tasks, solve_second_pass_codelet<T>(), a, operands, 3);
}

template <class T>
void Substitution<T>::second_pass(Unit& unit, SolveStage stage, Execution execution) {
    if (!unit.has_second_pass()) return;
    if (execution == Execution::as_tasks) return submit_second_pass(unit, stage);
    const cpu::SecondPass<T>& factors = unit.tiled->second_pass();
    const cpu::SecondPassRows rows = cpu::rows_of_positions(factors, 0, unit.planned->first_column);
    solve_second_pass(stage, operation_, factors_.kind(), factors, rows, x_, unit.y);
}

#define FROND_INSTANTIATE(T)                                                                                \
    template std::vector<DataRef> Substitution<T>::handles_of_positions(const std::vector<index_t>&) const; \
    template std::vector<SegmentRow> Substitution<T>::rows_in(const std::vector<DataRef>&,                  \
                                                              const std::vector<index_t>&) const;           \
    template std::vector<DataRef> Substitution<T>::handles_of_second_pass(Unit&) const;                     \
    template void Substitution<T>::second_pass(Unit&, SolveStage, Execution);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
