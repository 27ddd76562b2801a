// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/solver.hpp"

namespace frond {

/// Orthonormal vectors z with op(A) z = 0, as far as threshold pivoting found null pivots.
template <class T>
struct NullSpace {
    index_t rows = 0;
    index_t dimension = 0;
    std::vector<T> basis;  // [rows, dimension], ld = rows
    /// Largest ||op(A) z||_inf / (||op(A)||_inf ||z||_inf) of the columns: near eps when the null pivots
    /// are null vectors indeed.
    double residual = 0;
};

/// The null space of A (none), of A^T or of A^H (adjoint: the left null space of A). Dimension 0 when
/// A is not singular. The factors stay as they are.
/// Cost: one solve and one step of refinement with `dimension` = k right-hand sides, and 4 n k^2 operations of the
/// orthonormalisation. Memory: a few blocks [n, k].
/// @throws Cancelled, OutOfMemory, DeviceError, RuntimeError
/// @throws InvalidArgument  no factors, or those of static pivoting, which raises null pivots
/// @par Thread safety  factors may be shared by threads that call this and solve().
template <class T>
NullSpace<T> null_space(const Factors<T>& factors, Operation operation = Operation::none,
                        const std::atomic<bool>* cancel = nullptr);

}  // namespace frond
