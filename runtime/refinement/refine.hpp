// SPDX-License-Identifier: BSD-3-Clause
// Iterative refinement in working precision (Skeel 1980; Arioli, Demmel & Duff 1989).
#pragma once

#include "refinement/refined_system.hpp"

#include <atomic>
#include <cstdint>

namespace frond {

struct RefinementOptions {
    index_t max_steps = 10;
    /// Componentwise backward error at which a column is done; 0: 10 eps of the scalar type (refinement_target).
    double target = 0;
    /// Right-hand sides refined together at most.
    index_t block_columns = 64;
    /// Ends with the block in which a solution to begin with is not finite: there is another way to solve.
    bool ends_at_overflow = false;
    bool perturbed = false;  // see backward_error()
    const std::atomic<bool>* cancel = nullptr;  // true: throws Cancelled
};

struct RefinementReport {
    index_t steps = 0;  // largest over the right-hand sides
    index_t krylov_iterations = 0;  // largest over the right-hand sides
    std::vector<double> normwise;  // [nrhs] of the solutions returned
    std::vector<double> componentwise;  // [nrhs]
    std::vector<double> pure;  // [nrhs] see BackwardError
    std::vector<std::uint8_t> converged;  // [nrhs] componentwise <= target
    bool ran_out_of_memory = false;  // and ended before its time; X and its errors are right
    bool overflowed = false;  // and ended; X and the errors of further right-hand sides are missing

    /// Errors of so many columns take no further memory.
    void reserve(index_t columns);
    bool all_converged() const;
    /// Whether a column is above the error that is accepted. All that are not converged then go to gmres().
    bool needs_gmres(double accepted_error) const;
    /// Appends the errors of further right-hand sides.
    void append(const RefinementReport& further);
};

/// What becomes of a column after a step, by its componentwise error.
struct StepRule {
    double target = 0;

    bool is_done(const BackwardError& now) const { return now.decisive() <= target; }
    static bool is_accepted(const BackwardError& now, const BackwardError& best) {
        return now.decisive() < best.decisive();
    }
    static bool has_halved(const BackwardError& now, const BackwardError& best) {
        return now.decisive() <= best.decisive() / 2;
    }
};

/// The target in force: options.target, or its default for T.
template <class T>
double refinement_target(double target);

/// X := X + M^-1 (B - op(A) X), repeated. Each column stops by itself: at the target, when a step
/// does not halve its componentwise error, or after max_steps; it keeps its best iterate, which is
/// no worse than the one to begin with. max_steps = 0 only measures. Where memory for a step is refused, the block ends
/// with the best X so far.
/// @pre options.target > 0
/// @throws OutOfMemory, std::bad_alloc  when it is not even enough to measure
RefinementReport refine(RefinedSystem& system, const RefinementOptions& options);

}  // namespace frond
