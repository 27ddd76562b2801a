// SPDX-License-Identifier: BSD-3-Clause
// Threshold pivoting in a front that several ranks share (docs/decisions/0045).
#pragma once

#include "engine/insert_task.hpp"
#include "submit/fronts/submit_front.hpp"

namespace frond::detail {

/// Parts of what the children delay, from the rank that leads, which has gathered them, to the owners.
template <class T>
void submit_failed_start(FactorizationContext<T>& context, FrontRun<T>& run, int priority);

/// Called after the tiles of panel k here are solved. The rank of the diagonal tile decides how many pivots stay; all
/// ranks learn it and give columns back from their tiles, which then are as they are sent and used.
/// diagonal: the tile, which may have been received; backup(i): L D of own tile (i, k), or a copy of it.
template <class T>
struct PanelOfRanks {
    index_t k = 0;
    DataRef diagonal = nullptr;
    DataRef record = nullptr;
    std::function<DataRef(index_t)> backup;
    int priority = 0;
};
template <class T>
void submit_decide_pivots(FactorizationContext<T>& context, FrontRun<T>& run, const PanelOfRanks<T>& panel);

/// Updates the parts that failed, after the tiles of panel k have been received. left(t): L(t, k); right(t): L D of it,
/// or U(k, t).
template <class T>
void submit_update_failed(FactorizationContext<T>& context, FrontRun<T>& run, index_t k,
                          const std::function<DataRef(index_t)>& left, const std::function<DataRef(index_t)>& right,
                          int priority);

/// Submits, after the last panel, the second pass, and what others need of it.
template <class T>
void submit_eliminate_shared(FactorizationContext<T>& context, FrontRun<T>& run, int priority);

/// One more use of what the panels of a shared front need.
template <class T>
AfterTask use_of_panels(FrontRun<T>& run) {
    run.backup_uses_left.fetch_add(1, std::memory_order_relaxed);
    return {after_backup_use<T>, &run};
}

}  // namespace frond::detail
