// SPDX-License-Identifier: BSD-3-Clause
// What the time of the calling thread's work during the tasks follows, and the operations of all of them.
#pragma once

#include "factors/factors_state.hpp"
#include "frond/codelets/time_models.hpp"

namespace frond::detail {

/// Real operations of the tree.
template <class T>
double total_flops(const FactorsState<T>& state) {
    return state.analysis->cost.flops * (is_complex<T> ? 4 : 1);
}

/// items: entries; rows: order.
template <class T>
TaskWork sizes_of_system(const FactorsState<T>& state) {
    TaskWork sizes;
    sizes.items = static_cast<double>(state.system.matrix->entries());
    sizes.rows = state.analysis->order;
    return sizes;
}

/// items: entries; rows: fronts.
inline TaskWork host_work(const Analysis& analysis) {
    TaskWork work;
    work.items = static_cast<double>(analysis.entry_map.row.size());
    work.rows = static_cast<double>(analysis.tree.fronts.size());
    return work;
}

}  // namespace frond::detail
