// SPDX-License-Identifier: BSD-3-Clause
#include "solve_piece.hpp"
#include "tasks/solve/solve_piece.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {

template <class T>
starpu_codelet& solve_piece_codelet() {
    static TaskKind kind("solve_piece", 0x6A8CAF, TaskModel::Work::bytes, relative_speed<T>, nullptr,
                         gpu::solve_on_worker);
    return kind.codelet;
}

template <class T>
starpu_codelet& prepare_solve_codelet() {
    static TaskKind kind("prepare_solve", 0x457B9D, TaskModel::Work::bytes, relative_speed<T>, nullptr,
                         gpu::solve_on_worker);
    return kind.codelet;
}

#define FROND_INSTANTIATE(T)                           \
    template starpu_codelet& solve_piece_codelet<T>(); \
    template starpu_codelet& prepare_solve_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
