// SPDX-License-Identifier: BSD-3-Clause
// L U of a dense matrix whose pivots failed within tiles: rows are exchanged over whole tile columns.
#pragma once

#include <vector>

#include "engine/data_handle.hpp"
#include "submit/fronts/front_run.hpp"
#include "frond/cpu/pivot_record.hpp"

namespace frond::detail {

/// The exchanges of each panel, which tasks decide.
struct RowSelection {
    std::vector<cpu::RowExchanges> of_panel;  // [own tiles], sized before tasks use it; on all ranks

    /// Row of A at each position after all exchanges. @pre the tasks have ended
    std::vector<index_t> applied(std::vector<index_t> row_order) const;
};

template <class T>
struct FactorizationContext;

/// L U of a dense matrix: `rows`, which the context keeps, if rows are exchanged; else how many columns may fail before they
/// are. Nothing for other matrices.
template <class T>
void use_row_selection(const FactorsState<T>& state, RowSelection& rows, FactorizationContext<T>& context);

/// Before the diagonal tile of panel k is factored. The rank that has the tile column selects, and tells the others.
template <class T>
void submit_row_selection(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, int priority);

}  // namespace frond::detail
