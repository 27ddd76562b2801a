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
/// place: any is that of cores; device that of devices alone, for tiles that lie there.
template <class T>
starpu_codelet& solve_diagonal_tile_codelet(Place place = Place::any);

namespace gpu {
template <class T>
void solve_diagonal_tile(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
