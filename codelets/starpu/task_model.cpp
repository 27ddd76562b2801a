// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/task_model.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "frond/codelets/simulation.hpp"
#include "frond/codelets/task.hpp"

namespace frond {
namespace {

static_assert(std::is_standard_layout_v<TaskModel>, "the address of its first member is its own");

TaskModel& model_of(const starpu_codelet& codelet) { return *reinterpret_cast<TaskModel*>(codelet.model); }
TaskModel& model_of(const starpu_task& task) { return model_of(*task.cl); }

double buffer_bytes_of(const TaskModel& model, starpu_task* task) {
    double bytes = 0;
    if (model.work == TaskModel::Work::bytes)
        for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task); ++i)
            bytes += static_cast<double>(starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, i)));
    return bytes;
}

double predict_task(const TaskModel& model, starpu_task* task, bool on_device) {
    return model.predict(rates(), on_device, task->flops, buffer_bytes_of(model, task));
}

/// What a simulated task takes.
double simulated(const TaskModel& model, starpu_task* task, bool on_device) {
    const auto& arguments = *static_cast<const TaskArguments*>(task->cl_arg);
    if (!on_device) return 1e6 * simulated_core_seconds(arguments);
    return 1e6 * simulated_card_seconds(*task->cl, arguments, buffer_bytes_of(model, task));
}

/// In a simulation StarPU asks by this function, too, how long a task takes that begins on the calling worker. Schedulers,
/// which ask before, get what they get in a real run: rates() with corrections.
double cost(starpu_task* task, starpu_perfmodel_arch* arch, unsigned) {
    const bool on_device = arch->devices[0].type != STARPU_CPU_WORKER;
    const TaskModel& model = model_of(*task);
    if (is_simulation && task == starpu_task_get_current()) return simulated(model, task, on_device);
    return predict_task(model, task, on_device) * (on_device ? model.device : model.core).factor();
}

}  // namespace

void Correction::add(double predicted, double measured) noexcept {
    if (!std::isfinite(predicted) || !std::isfinite(measured) || predicted <= 0 || measured <= 0) return;
    constexpr double share = 8, short_microseconds = 1000;
    const double bound = std::log(8.0);
    const double weight = predicted / (share * (predicted + short_microseconds));
    const double seen = std::clamp(std::log(measured / predicted), -bound, bound);
    double mean = log_mean_.load(std::memory_order_relaxed);
    while (!log_mean_.compare_exchange_weak(mean, mean + weight * (seen - mean), std::memory_order_relaxed)) {
    }
}

double Correction::factor() const noexcept { return std::exp(log_mean_.load(std::memory_order_relaxed)); }

TaskModel::TaskModel(Work what, double speed, bool asynchronous) noexcept
    : work(what), relative_speed(speed), asynchronous_on_device(asynchronous) {
    starpu.type = STARPU_PER_ARCH;
    starpu.arch_cost_function = cost;
}

double TaskModel::predict(const Rates& r, bool on_device, double flops, double bytes) const noexcept {
    const double operations = flops / relative_speed;
    double seconds = on_device ? r.device_task_seconds : r.core_task_seconds;
    if (work == Work::bytes)
        seconds += bytes / (on_device ? r.device_moved_bytes : r.core_moved_bytes);
    else if (!on_device)
        seconds += operations / r.core_flops;
    else
        seconds += operations / (work == Work::piece ? r.device_tree_flops : r.device_tile_flops);
    return seconds * 1e6;
}

/// Without a model of the card: what rates() say, and of a piece the kernels that it starts.
double simulated_card_seconds(const starpu_codelet& codelet, const TaskArguments& arguments,
                              double buffer_bytes) noexcept {
    if (arguments.simulated_card_seconds >= 0) return arguments.simulated_card_seconds;
    const TaskModel& model = model_of(codelet);
    const double launches = model.work == TaskModel::Work::piece ? arguments.work.items : 0;
    return 1e-6 * model.predict(rates(), true, arguments.flops, buffer_bytes) + rates().launch_seconds * launches;
}

double simulated_microseconds(starpu_task& task, bool on_device) noexcept {
    return simulated(model_of(task), &task, on_device);
}

starpu_task* task_of_worker() noexcept { return starpu_worker_get_id() < 0 ? nullptr : starpu_task_get_current(); }

bool goes_on_after_body() noexcept {
    const starpu_task* const task = task_of_worker();
    return task != nullptr && task->cl != nullptr && task->cl->model != nullptr &&
           model_of(*task).asynchronous_on_device;
}

void correct_model(const void* arguments, double measured_seconds) noexcept {
    starpu_task* const task = task_of_worker();
    if (task == nullptr || task->cl_arg != arguments || task->cl == nullptr || task->cl->model == nullptr) return;
    TaskModel& model = model_of(*task);
    const bool on_device = starpu_worker_get_type(starpu_worker_get_id()) != STARPU_CPU_WORKER;
    if (on_device && model.asynchronous_on_device) return;
    (on_device ? model.device : model.core).add(predict_task(model, task, on_device), measured_seconds * 1e6);
}

}  // namespace frond
