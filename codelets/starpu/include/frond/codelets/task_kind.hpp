// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_model.hpp"

namespace frond {

/// When the body of a task on a device returns: when its work is done, or when it is on the worker's stream, for which
/// StarPU waits.
enum class DeviceRun : bool { until_done, asynchronous };

/// One kind of task for one scalar: its codelet, with the bodies for cores and for devices, and its model. All of it is
/// there from the construction on, whatever workers a session has; Frond changes nothing later, but for what the model
/// learns. Number and modes of the buffers belong to each task.
class TaskKind {
public:
    using Body = void (*)(void* buffers[], void* arguments);

    /// color: in traces. speed: relative_speed of the scalar. Bodies may be null; a build without devices enters none for
    /// them. on_host: buffer that is in the host's memory wherever the task runs (then tasks have STARPU_NMAXBUFS at most).
    TaskKind(const char* name, unsigned color, TaskModel::Work work, double speed, Body on_core,
             Body on_device = nullptr, DeviceRun run = DeviceRun::until_done, int on_host = -1);
    TaskKind(const TaskKind&) = delete;
    TaskKind& operator=(const TaskKind&) = delete;

    /// Where tasks are simulated, this body is called on cores, and lets the time pass (simulate_task).
    void set_simulated_body(Body body) noexcept;

    starpu_codelet codelet;

private:
    TaskModel model_;
};

namespace gpu {
/// Defined by the device part of the build. A codelet without a body for cores is one of devices alone.
void set_device_body(starpu_codelet& codelet, TaskKind::Body body, DeviceRun run);
}  // namespace gpu

}  // namespace frond

#define FROND_INSTANTIATE_CODELET(T, function) template starpu_codelet& function<T>();

/// Defines function<T>(), the codelet of one kind of task, for each scalar T. What follows are the arguments of TaskKind,
/// which may name T:
///   FROND_DEFINE_CODELETS(load_tile_codelet, "load_tile", 0x8DA0CB, TaskModel::Work::bytes, relative_speed<T>, load_on_core<T>)
#define FROND_DEFINE_CODELETS(function, ...) \
    template <class T>                       \
    starpu_codelet& function() {             \
        static TaskKind kind(__VA_ARGS__);   \
        return kind.codelet;                 \
    }                                        \
    FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE_CODELET, function)

#define FROND_INSTANTIATE_CODELET_OF_PLACE(T, function) template starpu_codelet& function<T>(Place);

/// The same for function<T>(Place), with a codelet for cores alone and one for devices alone, whose work is bytes: name and
/// color, then the two bodies.
#define FROND_DEFINE_CODELETS_OF_PLACES(function, name, color, on_core, on_device)                                 \
    template <class T>                                                                                             \
    starpu_codelet& function(Place place) {                                                                        \
        static TaskKind on_cores(name, color, TaskModel::Work::bytes, relative_speed<T>, on_core<T>);              \
        static TaskKind on_devices(name, color, TaskModel::Work::bytes, relative_speed<T>, nullptr, on_device<T>); \
        return (place == Place::device ? on_devices : on_cores).codelet;                                           \
    }                                                                                                              \
    FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE_CODELET_OF_PLACE, function)
