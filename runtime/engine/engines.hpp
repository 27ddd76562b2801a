// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/insert_task.hpp"

namespace frond::detail {

/// Gives the tasks to StarPU. Its workers must run until the job has ended.
class StarpuEngine : public TaskEngine {
public:
    void submit(TaskCall call) override;
    bool runs_at_once() const noexcept override { return false; }

private:
    /// The task is complete, and submitted next.
    virtual void before_submission(starpu_task&) {}
    virtual void after_submission(Job&, double) {}
};

/// Each task runs before its submission returns: what one task does alone is not worth a worker's waking. Its data are in the
/// host's memory, and all tasks before it have ended. StarPU need not run.
class AtOnceEngine : public TaskEngine {
public:
    void submit(TaskCall call) override;
    bool runs_at_once() const noexcept override { return true; }

private:
    virtual void run_body(const starpu_codelet& codelet, void* buffers[], TaskArguments& arguments) {
        codelet.cpu_funcs[0](buffers, &arguments);
    }
};

}  // namespace frond::detail
