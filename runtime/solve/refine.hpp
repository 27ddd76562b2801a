// SPDX-License-Identifier: BSD-3-Clause
// Iterative refinement in working precision (Skeel 1980; Arioli, Demmel & Duff 1989).
#pragma once

#include "solve/backward_error.hpp"

#include <atomic>
#include <functional>

namespace frond {

/// X := M^-1 X in place, M being op(A) as the factors have it. X has any number of columns, ld =
/// rows.
template <class T>
using ApplyInverse = std::function<void(DenseView<T> x)>;

struct RefinementOptions {
    index_t max_steps = 10;
    /// Componentwise backward error at which a column is done; 0: 10 eps of the scalar type.
    double target = 0;
    /// Right-hand sides refined together; bounds the memory to 2 blocks of scalars and one of
    /// reals.
    index_t block_columns = 64;
    const std::atomic<bool>* cancel = nullptr;  // true: throws Cancelled
};

struct RefinementReport {
    index_t steps = 0;  // largest over the right-hand sides
    index_t krylov_iterations = 0;  // largest over the right-hand sides
    std::vector<double> normwise;  // [nrhs] of the solutions returned
    std::vector<double> componentwise;  // [nrhs]
    std::vector<std::uint8_t> converged;  // [nrhs] componentwise <= target
    bool ran_out_of_memory = false;  // and ended before its time; X and its errors are right

    bool all_converged() const;
    /// Those of further right-hand sides, behind those that are here.
    void append(const RefinementReport& further);
};

/// The target in force: options.target, or its default for T.
template <class T>
double refinement_target(double target);

/// X := X + M^-1 (B - op(A) X), repeated. Each column stops by itself: at the target, when a step
/// does not halve its componentwise error, or after max_steps; it keeps its best iterate, which is
/// no worse than the X given. max_steps = 0 only measures. Narrower blocks are taken where memory for the
/// wider ones is refused. Where even one column's is refused, refinement ends with the best X so far.
/// @throws OutOfMemory, std::bad_alloc  when it is not even enough to measure; X is then as it was given
template <class T>
RefinementReport refine(const LinearSystem<T>& system, DenseView<const T> b, const ApplyInverse<T>& inverse,
                        DenseView<T> x, const RefinementOptions& options = {});

}  // namespace frond
