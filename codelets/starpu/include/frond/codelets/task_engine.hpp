// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond {

struct TaskCall;

/// Who runs the tasks of a job: StarPU's workers, the thread that submits them, or a simulated rank. It outlives the job.
class TaskEngine {
public:
    /// The job counts the task from now on. @throws OutOfMemory; RuntimeError  the task is refused
    virtual void submit(TaskCall call) = 0;
    /// A task has ended when its submission returns. Tasks then must not be deferred.
    virtual bool runs_at_once() const noexcept = 0;

protected:
    ~TaskEngine() = default;
};

}  // namespace frond
