// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/second_pass.hpp"

namespace frond {

/// Where the buffers of a task have the rows of the vector that its second pass works on: those of the front's own columns,
/// then all others that the second pass takes, as its lists name them.
struct SecondPassGather {
    std::vector<SegmentRow> rows;
    std::vector<index_t> row, row_after, column;  // rows of the vector, see cpu::SecondPassRows
    int segments = 0;  // with positions
};

/// solve_second_pass: R factors of the second pass (cpu::SecondPass), RW segments with positions of its columns and of the
/// front's own..., then RW (forward) or R (backward) contribution segments, in their order.
/// The task works on copies of their rows in one vector.
struct SecondPassSolveArguments : TaskArguments {
    SolveStage stage = SolveStage::forward;
    Operation operation = Operation::none;
    Factorization kind = Factorization::lu;
    const SecondPassGather* gather = nullptr;
    int contribution_segments = 0;
};
template <class T>
starpu_codelet& solve_second_pass_codelet();

/// What it does with x and y once they are together.
template <class T>
void solve_second_pass(SolveStage stage, Operation operation, Factorization kind, const cpu::SecondPass<T>& second_pass,
                       const cpu::SecondPassRows& rows, DenseView<T> x, DenseView<T> y) {
    if (stage == SolveStage::forward)
        cpu::forward_second_pass(kind, operation, second_pass, rows, x, y);
    else if (stage == SolveStage::diagonal)
        cpu::diagonal_second_pass(kind, second_pass, rows, x);
    else
        cpu::backward_second_pass(kind, operation, second_pass, rows, as_const(y), x);
}

}  // namespace frond
