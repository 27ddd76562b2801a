// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "engine/engines.hpp"

namespace frond::detail {

void AtOnceEngine::submit(TaskCall call) {
    std::vector<void*> buffers;
    for (const Access& access : call.accesses) buffers.push_back(access.handle->buffer());
    call.arguments().order = call.job.submitted();
    call.job.task_submitted();
    call.job.count_submission();
    run_body(call.codelet, buffers.data(), call.arguments());
    if (call.after.function != nullptr) call.after.function(call.after.argument);
    call.job.task_ended();
}

}  // namespace frond::detail
