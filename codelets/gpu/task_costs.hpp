// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::gpu {

/// Gives all codelets of T their performance models: those of tasks that have a device implementation, and
/// those of tasks beside them, which the scheduler places by their times, too.
template <class T>
void add_task_costs();

}  // namespace frond::gpu
