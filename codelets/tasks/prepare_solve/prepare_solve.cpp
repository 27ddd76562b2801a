// SPDX-License-Identifier: BSD-3-Clause
#include "prepare_solve.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {

template <class T>
starpu_codelet& prepare_solve_codelet() {
    static TaskKind kind(relative_speed<T>, {.name = "prepare_solve",
                                             .color = 0x457B9D,
                                             .work = TaskModel::Work::bytes,
                                             .on_device = gpu::solve_on_device()});
    return kind.codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& prepare_solve_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
