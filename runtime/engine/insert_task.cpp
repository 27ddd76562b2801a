// SPDX-License-Identifier: BSD-3-Clause
#include "engine/insert_task.hpp"

#include <utility>

#include "engine/kind_of_run.hpp"

namespace frond::detail {

std::uint32_t where_of(const Job& job, const starpu_codelet& codelet, const TaskArguments& arguments) noexcept {
    if (job.is_kept_to_cores()) return STARPU_CPU;
    // 0: it runs on cores only.
    const std::uint32_t device = codelet.cuda_funcs[0] != nullptr  ? STARPU_CUDA
                                 : codelet.hip_funcs[0] != nullptr ? STARPU_HIP
                                                                   : 0;
    if (arguments.place == Place::device && device != 0) return device;
    if (job.has_fixed_places()) return device != 0 ? device : STARPU_CPU;
    return 0;
}

void describe_work(TaskArguments& task, const starpu_codelet& codelet, std::span<const Access> accesses) {
    if (!are_tasks_described()) return;
    task.task_kind = codelet.name;
    task.work.flops = task.flops;
    if (!(task.work.bytes > 0))
        for (const Access& access : accesses) task.work.bytes += static_cast<double>(access.handle->bytes());
    set_time(task, codelet);
}

void submit_raw(TaskCall call) {
    describe_work(call.arguments(), call.codelet, call.accesses);
    call.job.engine().submit(std::move(call));
}

}  // namespace frond::detail
