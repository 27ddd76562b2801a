// SPDX-License-Identifier: BSD-3-Clause
#include "solve_second_pass.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

template <class T>
void solve_second_pass_cpu(void**, void* raw) noexcept {
    run_task<SecondPassSolveArguments<T>>(raw, [&](const SecondPassSolveArguments<T>& a) {
        if (a.stage == SolveStage::forward)
            cpu::forward_second_pass(a.kind, a.operation, *a.second_pass, 0, a.own_first, a.x, a.y);
        else if (a.stage == SolveStage::diagonal)
            cpu::diagonal_second_pass(a.kind, *a.second_pass, 0, a.x);
        else
            cpu::backward_second_pass(a.kind, a.operation, *a.second_pass, 0, a.own_first, as_const(a.y), a.x);
    });
}

}  // namespace

template <class T>
starpu_codelet& solve_second_pass_codelet() {
    static TaskKind kind("solve_second_pass", 0xC77DFF, TaskModel::Work::bytes, relative_speed<T>,
                         solve_second_pass_cpu<T>);
    return kind.codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& solve_second_pass_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
