// SPDX-License-Identifier: BSD-3-Clause
// What StarPU keeps of a factorization, counted before it begins.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "messages/tree_share.hpp"

namespace frond::detail {

/// What is kept of each, from above: StarPU 1.4 took 2.8 KB a handle and 3.6 KB a task on three tiles, without devices.
inline constexpr count_t handle_bytes = 7 << 10, task_bytes = 7 << 10;

/// No more tasks of a factorization than this, but for a few, wait for their turn: enough to choose from by priority.
count_t most_pending_tasks(index_t workers);
/// In one process.
count_t most_pending_tasks(const Analysis& analysis);

struct RuntimeBytes {
    count_t handles = 0;  // of all units
    count_t tasks = 0;  // that may wait at one time
};

/// With threshold pivoting where that is possible. share: of this rank's units, its parts of shared fronts and the tiles that
/// it receives; null: of all. most_pending: tasks.
RuntimeBytes runtime_bytes(const Analysis& analysis, const TreeShare* share, count_t most_pending);

}  // namespace frond::detail
