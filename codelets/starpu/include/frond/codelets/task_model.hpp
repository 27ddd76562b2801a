// SPDX-License-Identifier: BSD-3-Clause
// Performance models: what the scheduler knows of a task's time on a core and on a device. They work at
// the first run, by rates(), and are refined by the tasks that ran.
#pragma once

#include <starpu.h>

#include <atomic>

#include "frond/codelets/rates.hpp"

namespace frond {

/// exp of an exponentially weighted mean of log(measured / predicted). A task counts by
/// predicted / (8 (predicted + 1 ms)): what is short is many, and mostly latency. Quotients and mean stay
/// within [1/8, 8]. Any number of threads may add and read.
class Correction {
public:
    /// Nothing when a time is not positive and finite.
    void add(double predicted_microseconds, double measured_microseconds) noexcept;
    double factor() const noexcept;

private:
    std::atomic<double> log_mean_{0};
};

/// The model of one kind of task and one scalar; codelet.model points to `starpu`.
struct TaskModel {
    /// What the time follows: operations on tiles, bytes of the buffers, operations of a piece of a tree.
    enum class Work : std::uint8_t { flops, bytes, piece };

    /// speed: relative_speed of the scalar. The time on the host of a task that is asynchronous on devices
    /// is that of its launch: there it corrects nothing.
    TaskModel(Work what, double speed, bool asynchronous) noexcept;

    /// Microseconds without correction.
    double predict(const Rates& r, bool on_device, double flops, double bytes) const noexcept;

    starpu_perfmodel starpu{};  // the first member: StarPU gives its address to the cost function
    Work work;
    double relative_speed;
    bool asynchronous_on_device;
    Correction core, device;
};

/// Microseconds that the task takes in a simulation, on a core or on a card; its codelet has a TaskModel.
double simulated_microseconds(starpu_task& task, bool on_device) noexcept;

struct TaskArguments;
/// The same in seconds on a card, of a task that StarPU does not have. buffer_bytes: of all its data.
double simulated_card_seconds(const starpu_codelet& codelet, const TaskArguments& arguments,
                              double buffer_bytes) noexcept;

/// The task that runs on the calling worker; null: the thread is no worker. StarPU cannot be asked before it has started:
/// it answers with whatever another library keeps for the thread.
starpu_task* task_of_worker() noexcept;

/// Whether the task that runs on the calling worker, of a device, has work under way there when its body has returned.
bool goes_on_after_body() noexcept;

/// Corrects the model of the task that runs on the calling worker, where its codelet has one.
void correct_model(const void* arguments, double measured_seconds) noexcept;

}  // namespace frond
