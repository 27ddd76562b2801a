// SPDX-License-Identifier: BSD-3-Clause
// Simulated cards are said to have the bodies that codelets name, so that StarPU gives tasks to them.
#include <string_view>

#include "frond/codelets/task_kind.hpp"

namespace frond::gpu {

/// Beside a piece, other workers of a real card copy. A simulated card has one worker, which copies where it does not wait.
void set_device_body(starpu_codelet& codelet, TaskKind::Body body, DeviceRun run) {
    const std::string_view name = codelet.name;
    const bool is_piece = name == "factor_piece" || name.ends_with("_columns");
    codelet.cuda_funcs[0] = body;
    codelet.cuda_flags[0] = is_piece || run == DeviceRun::asynchronous ? STARPU_CUDA_ASYNC : 0;
    codelet.where = codelet.cpu_funcs[0] == nullptr ? STARPU_CUDA : STARPU_CPU | STARPU_CUDA;
}

}  // namespace frond::gpu
