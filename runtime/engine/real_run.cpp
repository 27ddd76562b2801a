// SPDX-License-Identifier: BSD-3-Clause
#include "engine/engines.hpp"
#include "engine/kind_of_run.hpp"

namespace frond::detail {

TaskEngine& starpu_engine() noexcept {
    static StarpuEngine engine;
    return engine;
}

TaskEngine& at_once_engine() noexcept {
    static AtOnceEngine engine;
    return engine;
}

bool are_tasks_described() noexcept { return are_times_recorded(); }
void set_time(TaskArguments&, const starpu_codelet&) {}

void release_when_unused(starpu_data_handle_t handle) noexcept { starpu_data_unregister_submit(handle); }

/// Without waiting.
void begin_to_copy(starpu_data_handle_t handle, unsigned node) noexcept {
    static_cast<void>(starpu_data_prefetch_on_node(handle, node, 1));
}

}  // namespace frond::detail
