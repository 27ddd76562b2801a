// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/task.hpp"

namespace frond {

/// prepare_solve: R parts of the factors...      inverses, tables, the matrix by rows, for solves on a device
/// solve_piece:   R parts of the factors...      substitution, or a whole solve with its refinement
/// A task of devices alone, on the worker of one. The body puts kernels on a stream of its own and waits for them, so
/// that whoever submits the task finds results when it has ended. Factors that are not in parts are held on the device
/// for it. body: the steps of the solve, on memory of the caller alone (gpu::ResidentSolve, B and X), which no other
/// task uses meanwhile. So it is no data of StarPU (docs/decisions/0028).
struct DeviceSolveArguments : TaskArguments {
    void (*body)(const void* data) = nullptr;
    const void* data = nullptr;
};
template <class T>
starpu_codelet& prepare_solve_codelet();
template <class T>
starpu_codelet& solve_piece_codelet();

namespace gpu {
/// The same for both, and for all scalars.
void solve_on_worker(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
