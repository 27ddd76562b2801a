// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/device_body.hpp"
#include "frond/codelets/task_model.hpp"

namespace frond {

/// One kind of task for one scalar: its codelet, with the bodies for cores and for the devices of this build, and its
/// model. All of it is there from the construction on, whatever workers a session has; Frond changes nothing later, but
/// for what the model learns. Number and modes of the buffers belong to each task.
class TaskKind {
public:
    struct Facts {
        const char* name = nullptr;
        unsigned color = 0;  // in traces
        TaskModel::Work work = TaskModel::Work::flops;
        starpu_cpu_func_t on_core = nullptr;
        DeviceBody on_device{};
        int on_host =
            -1;  // buffer that is in the host's memory wherever the task runs; tasks have STARPU_NMAXBUFS at most
    };

    /// speed: relative_speed of the scalar.
    TaskKind(double speed, const Facts& facts);
    TaskKind(const TaskKind&) = delete;
    TaskKind& operator=(const TaskKind&) = delete;

    starpu_codelet codelet;

private:
    TaskModel model_;
};

}  // namespace frond
