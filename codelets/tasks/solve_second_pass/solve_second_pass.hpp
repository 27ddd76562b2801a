// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/second_pass.hpp"

namespace frond {

/// solve_second_pass: RW segments with positions of the columns of the second pass and of the front's own..., then RW
/// (forward) or R (backward) contribution segments. The task works on the memory under them.
template <class T>
struct SecondPassSolveArguments : TaskArguments {
    SolveStage stage = SolveStage::forward;
    Operation operation = Operation::none;
    Factorization kind = Factorization::lu;
    const cpu::SecondPass<T>* second_pass = nullptr;
    index_t own_first = 0;  // elimination position of the front's first column
    DenseView<T> x;  // all elimination positions
    DenseView<T> y;  // contribution rows of the front
};
template <class T>
starpu_codelet& solve_second_pass_codelet();

}  // namespace frond
