// SPDX-License-Identifier: BSD-3-Clause
// Null pivots by their rows and columns in A. Slots (cpu/leftover.hpp) are elimination positions after
// the first pass has exchanged rows (and, symmetric kinds, columns) inside its diagonal blocks.
#include <algorithm>
#include <numeric>

#include "data/pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// position[s]: elimination position of what the first pass left in slot s.
template <class T>
std::vector<index_t> positions_of_slots(const FactorsState<T>& state) {
    std::vector<index_t> position(at(state.analysis->order));
    std::iota(position.begin(), position.end(), 0);
    for_each_pivot_block<T>(state, [&](const PivotBlock<T>& b) {
        for (index_t k = 0; k < b.block.cols && b.perm != nullptr; ++k)
            position[at(b.first_column + k)] = b.first_column + b.perm[k];
    });
    return position;
}

/// Calls visit(slot) for every null column.
template <class T, class Visit>
void for_each_null_column(const FactorsState<T>& state, Visit visit) {
    for_each_leftover<T>(state, [&](const cpu::Leftover<T>& l) {
        for (index_t k = 0; k < l.null_columns; ++k) visit(l.column_slot[at(l.kept + k)]);
    });
}

}  // namespace

template <class T>
std::vector<index_t> null_columns(const FactorsState<T>& state) {
    std::vector<index_t> columns;
    std::vector<index_t> position;
    if (is_symmetric(state.kind())) position = positions_of_slots(state);
    for_each_null_column(state, [&](index_t slot) {
        columns.push_back(state.analysis->column_order[at(position.empty() ? slot : position[at(slot)])]);
    });
    std::sort(columns.begin(), columns.end());
    return columns;
}

template <class T>
std::vector<index_t> null_rows(const FactorsState<T>& state) {
    if (is_symmetric(state.kind())) return null_columns(state);
    std::vector<index_t> position = positions_of_slots(state), rows, renamed;
    for_each_leftover<T>(state, [&](const cpu::Leftover<T>& l) {
        for (index_t k = 0; k < l.null_rows; ++k)
            rows.push_back(state.analysis->row_order[at(position[at(l.row_slot[at(l.kept + k)])])]);
        renamed.clear();
        for (const index_t slot : l.row_slot) renamed.push_back(position[at(slot)]);
        for (std::size_t k = 0; k < renamed.size(); ++k) position[at(l.row_slot_after[k])] = renamed[k];
    });
    std::sort(rows.begin(), rows.end());
    return rows;
}

#define FROND_INSTANTIATE(T)                                               \
    template std::vector<index_t> null_columns<T>(const FactorsState<T>&); \
    template std::vector<index_t> null_rows<T>(const FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
