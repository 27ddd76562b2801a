// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blas_library.hpp"
#include "frond/gpu/resident_solve.hpp"
#include "solve/solve_steps.hpp"

namespace frond::gpu {

/// inverses [steps.scalars] := those of the diagonal blocks of all steps, zeros in the other triangles.
/// Waits for the stream, which is that of the BLAS handle. @throws DeviceError
template <class T>
void invert_diagonals(Stream stream, BlasHandle blas, unsigned memory_node, const PlacedFactors<T>& factors,
                      const SolveSteps& steps, T* inverses);

}  // namespace frond::gpu
