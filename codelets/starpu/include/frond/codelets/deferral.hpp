// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <atomic>
#include <starpu.h>

namespace frond {

/// A message of static size before one of run-time size: what the receiver has to find room for. From a rank that has
/// stopped it comes as it was: without bytes.
struct Announcement {
    count_t bytes = 0;  // that the block takes, without its header
    count_t packed_bytes = 0;  // of its message
};

/// Host memory behind data that were registered before they had any. A task that all tasks on these data wait for takes
/// it, so that it can be what others have given back until then. Its bytes were reserved before.
class LateMemory {
public:
    /// All the data have their memory when it has returned; later calls do nothing. One call at a time.
    /// @throws OutOfMemory
    virtual void provide() = 0;

protected:
    ~LateMemory() = default;
};

struct TaskArguments;

/// Thrown in a task that cannot have its memory now but may have it later. The task has changed nothing,
/// or nothing that its next run does not write anew.
struct Deferred {};

/// The one task of a unit that memory was refused to. Its worker goes on, but an end dependency of StarPU
/// keeps the task from ending, and so all tasks behind it from starting, until another run of it
/// (submit_again) is not deferred.
class Deferral {
public:
    /// For run_task, as the last act of a run that threw Deferred.
    void defer(const TaskArguments& arguments) noexcept;
    /// For the callback of another run. Afterwards this object may be gone.
    void ended_again() noexcept;

    /// The task that does not end; null: none.
    starpu_task* task() const noexcept { return task_.load(std::memory_order_acquire); }
    /// Tasks of its job that were submitted before it.
    count_t order() const { return order_; }

protected:
    ~Deferral() = default;

private:
    /// On the worker: the task waits to be submitted again.
    virtual void wait_for_memory() noexcept = 0;

    std::atomic<starpu_task*> task_{nullptr};
    count_t order_ = 0;
    bool again_ = false;  // another run was deferred, too
};

}  // namespace frond
