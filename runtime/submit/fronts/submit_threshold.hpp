// SPDX-License-Identifier: BSD-3-Clause
// What threshold pivoting adds to a front on tiles.
#pragma once

#include "engine/insert_task.hpp"
#include "submit/fronts/submit_front.hpp"
#include "tasks/panel/update_tile.hpp"

namespace frond::detail {

/// The first task of the front. The children's delayed columns are handed to StarPU for unregistering.
template <class T>
void submit_gather_failed(FactorizationContext<T>& context, FrontRun<T>& run);

/// After the solve tasks of panel k, before its updates.
template <class T>
void submit_accept_pivots(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, int priority, AfterTask after);

/// After the pivots of the last panel are accepted, before its updates: the second pass.
template <class T>
void submit_eliminate_failed(FactorizationContext<T>& context, FrontRun<T>& run, int priority);

/// An update of tile (i, j) by panel k: those of the contribution block by the last panel also subtract what the second
/// pass eliminated, which `accesses` then end with.
template <class T>
void add_second_pass(const FactorizationContext<T>& context, const FrontRun<T>& run, index_t k, index_t i, index_t j,
                     UpdateArguments& arguments, std::vector<Access>& accesses);

}  // namespace frond::detail
