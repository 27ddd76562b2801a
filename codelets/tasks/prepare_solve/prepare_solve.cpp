// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "tasks/solve_piece/solve_piece.hpp"

namespace frond {

template <class T>
starpu_codelet& prepare_solve_codelet() {
    static TaskKind kind("prepare_solve", 0x457B9D, TaskModel::Work::bytes, relative_speed<T>, nullptr,
                         gpu::solve_on_worker);
    return kind.codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& prepare_solve_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
