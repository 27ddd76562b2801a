// SPDX-License-Identifier: BSD-3-Clause
// The tasks that threshold pivoting adds to a front on tiles (docs/decisions/0007).
#pragma once

#include "submit/insert_task.hpp"
#include "submit/submit_front.hpp"

namespace frond::detail {

/// The tile of a panel lowers the number of columns kept; nothing with static pivoting.
template <class T>
void set_limit(const FactorizationContext<T>& context, FrontRun<T>& run, index_t panel,
               SolvePanelArguments& arguments) {
    if (!(context.rule.threshold > 0)) return;
    arguments.limit = &run.limits[static_cast<std::size_t>(panel)];
    arguments.bound = 1 / context.rule.threshold;
}

/// After the solve tasks of panel k, before its updates.
template <class T>
void submit_settle_panel(FactorizationContext<T>& context, FrontRun<T>& run, index_t k, int priority, AfterTask after);

/// After all panels: the second pass. Tells run.news when it has ended.
template <class T>
void submit_eliminate_pending(FactorizationContext<T>& context, FrontRun<T>& run, int priority);

/// The contribution block minus what the leftover pivots of the second pass have eliminated. To be
/// called when the second pass has ended, before the parent is assembled.
template <class T>
void submit_update_leftover(FactorizationContext<T>& context, FrontRun<T>& run, int priority);

}  // namespace frond::detail
