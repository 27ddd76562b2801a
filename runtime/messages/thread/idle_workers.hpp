// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace frond::detail {

/// As long as one lives, StarPU's workers of cores sleep between two looks for a task once they have found none for a
/// while. By themselves they look without a rest; on a machine whose cores all have workers, every other thread would then
/// wait for its turn, which takes milliseconds: those that submit tasks, that make messages proceed, and other ranks.
/// Meanwhile they look for messages as well: what comes for a worker that waits then needs no other thread, which would
/// have to wake first.
/// StarPU runs.
class SleepingWorkers {
public:
    /// look(): whether anything has come. It is called by one worker at a time, until the destructor returns.
    explicit SleepingWorkers(std::function<bool()> look);
    SleepingWorkers(const SleepingWorkers&) = delete;
    SleepingWorkers& operator=(const SleepingWorkers&) = delete;
    ~SleepingWorkers();

    struct Gate;

private:
    Gate& gate_;
    int hook_;
};

/// Sleeps of this thread end as soon as they should, not up to 50 us later.
void end_sleeps_in_time() noexcept;

}  // namespace frond::detail
