// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/codelets/solve_tasks.hpp"

namespace frond {
namespace {

template <class T>
void solve_leftover_cpu(void**, void* raw) noexcept {
    run_task<LeftoverSolveArguments<T>>(raw, [&](const LeftoverSolveArguments<T>& a) {
        if (a.stage == SolveStage::forward)
            cpu::forward_leftover(a.kind, a.operation, *a.leftover, 0, a.own_first, a.x, a.y);
        else if (a.stage == SolveStage::diagonal)
            cpu::diagonal_leftover(a.kind, *a.leftover, 0, a.x);
        else
            cpu::backward_leftover(a.kind, a.operation, *a.leftover, 0, a.own_first, as_const(a.y), a.x);
    });
}

}  // namespace

template <class T>
starpu_codelet& leftover_solve_codelet() {
    static starpu_codelet codelet = make_codelet("solve_leftover", solve_leftover_cpu<T>, 0xC77DFF);
    return codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& leftover_solve_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
