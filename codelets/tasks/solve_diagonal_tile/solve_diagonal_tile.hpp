// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/task.hpp"

namespace frond {

/// solve_diagonal_tile: R diagonal tile, RW segment, R pivot record (not for LL^T)
struct DiagonalTileArguments : TaskArguments {
    SolveStage stage = SolveStage::forward;
    Operation operation = Operation::none;
    Factorization kind = Factorization::lu;
};
template <class T>
starpu_codelet& solve_diagonal_tile_codelet();

}  // namespace frond
