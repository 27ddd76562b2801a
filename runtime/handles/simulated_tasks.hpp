// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstddef>
#include <span>

#include "frond/codelets/simulated_time.hpp"
#include "frond/codelets/task.hpp"

namespace frond::detail {

struct Access;
struct AfterTask;

/// Takes the tasks of one rank in place of StarPU, where ranks are simulated (runtime/simulated).
class SimulatedTasks {
public:
    /// The tasks of the rank whose actor is running; null: StarPU takes the tasks.
    static SimulatedTasks* of_this_actor() noexcept {
        const SimulatedTime* const time = SimulatedTime::running();
        return time == nullptr ? nullptr : static_cast<SimulatedTasks*>(time->owner_of_actor());
    }
    /// The tasks of a simulated rank keep data that are registered with StarPU.
    static void release_when_unused(starpu_data_handle_t handle);
    /// Begins to copy data to the memory of a card, from that of another card of the rank.
    static void begin_to_copy(starpu_data_handle_t handle, unsigned node);

    /// Submits like submit_raw, with arguments whose work is described. False: a run has no task of its own for it,
    /// whose submission would take time.
    virtual bool submit(Job& job, starpu_codelet& codelet, void* arguments, std::span<const Access> accesses,
                        int priority, AfterTask after) = 0;

protected:
    ~SimulatedTasks() = default;
};

}  // namespace frond::detail
