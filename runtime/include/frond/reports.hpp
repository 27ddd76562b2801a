// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/base/types.hpp"

namespace frond {

enum class Pivoting : std::uint8_t {
    automatic,  // none for LL^T, threshold otherwise
    none,  // LL^T; else search inside the diagonal block, nothing raised: quasi-definite matrices
    static_pivots,  // search inside the diagonal block, small pivots raised and counted
    threshold  // |l_ij| <= 1 / pivot_threshold everywhere; columns without a pivot go to the parent
};

/// Outcome of a factorization: a value, never an exception.
enum class FactorStatus : std::uint8_t {
    success,
    perturbed,  // pivots were raised; refinement or GMRES repairs the solution
    singular,  // null pivots were met, see FactorReport::Pivots::small_columns
    // LL^T only: a pivot <= 0, or no larger than its rounding errors may be, at FactorReport::Pivots::failed_column; no
    // factors to solve with
    not_positive_definite,
    overflowed,  // a pivot is not finite: elimination left the range of the scalar; no factors to solve with
};

/// Whether factors with this status solve.
constexpr bool can_solve_with(FactorStatus status) {
    return status != FactorStatus::not_positive_definite && status != FactorStatus::overflowed;
}

struct Inertia {
    count_t negative = 0;
    count_t zero = 0;
    count_t positive = 0;
};

/// What a factorization did. Every number is measured unless its name says predicted.
struct FactorReport {
    /// The pivots of the scaled matrix that was factored.
    struct Pivots {
        count_t perturbed = 0;  // raised
        count_t delayed = 0;  // columns handed to a parent front, counted each time
        count_t second_pass = 0;  // columns that the first pass of threshold pivoting gave back
        count_t two_by_two = 0;
        // Threshold pivoting: largest |l_ij| (complex: |re| + |im|) below the diagonal blocks of fronts and
        // tiles, at most 1 / pivot_threshold; of columns that a second pass eliminated: a bound of it. Within
        // a block |l_ij| is at most 1 (LU), 2.8 (LDL^T).
        double largest_l = 0;
        // Sizes of pivots, null ones left out; of a 2x2 pivot those of its eigenvalues, within a factor 2. 0: there is
        // none. An infinite largest one: see FactorStatus::overflowed.
        double smallest = 0, largest = 0;
        double raised_below = 0;  // smaller pivots were raised; 0: none were to be
        double null_below = 0;  // columns with no entry above this were null
        // Sums to n. Empty: LU, complex symmetric; pivots were raised, or null without threshold pivoting; or grew above
        // 100 times the largest entry without it, or are no larger than rounding, which may have changed signs; fewer were null than the
        // structure asks for, so that rounding gave some their signs.
        std::optional<Inertia> inertia;
        index_t failed_column = -1;  // LL^T: column of A whose pivot is not surely positive
        std::vector<index_t> small_columns;  // columns of A whose pivot was raised or null, ascending
        std::vector<index_t> null_rows;  // threshold pivoting: rows of A against the null columns, ascending
    };

    /// The factors, and what they and their making took.
    struct Memory {
        count_t factor_entries = 0;
        count_t factor_bytes = 0;
        count_t peak_bytes = 0;  // largest sum of Frond's bytes at one time, in host memory; on_device: predicted
        count_t peak_bytes_predicted = 0;  // bound that the submitter kept to
    };

    /// Where the factorization ran, and what moved.
    struct Place {
        bool on_device = false;  // the whole tree on devices, a task for each piece
        index_t devices_used =
            0;  // that shared it; of several ranks, of which on_device says no: those of rank 0, which
        // have factored the subtrees that this rank has for itself
        std::string reason;  // else: why, in a session with devices
        // Between host and devices, without the device's own copies. By tasks: what StarPU moved meanwhile for any job
        // (not where the application started it), and what the tasks copied themselves: entries of A, tables, pivots,
        // and what the host did instead.
        count_t bytes_to_devices = 0, bytes_from_devices = 0;
    };

    /// What was done, and the time that parts of it took.
    struct Work {
        double flops = 0;  // real operations of the tasks that ran
        count_t tasks = 0;
        count_t subtree_tasks = 0;  // of them
        count_t pieces_again = 0;  // of a tree on devices: factored once more since pivots failed, counted each time
        double scaling_seconds = 0;  // part of seconds
        double presolve_seconds = 0;  // of FactorOptions::presolve, after seconds; 0: nothing was made
        // [fronts] Time in tasks, a whole subtree's at its root front. In a piece on a device, if StarPU records a
        // trace, the time of its levels, shared among their fronts by operations; else 0.
        std::vector<double> front_seconds;
        // The scaling of the analysis or of earlier values suits these, and was not computed anew; never where the
        // matrix is not scaled at all, and never with AnalysisOptions::deterministic.
        bool scaling_kept = false;
        // True: the matrix was factored again with a null_below that earlier factorizations showed to be right.
        // seconds, flops, tasks and peak_bytes are of all of these. The bound comes from a gap in the pivots, or is below
        // columns that were small, but more than rounding.
        bool repeated_for_rank = false;
    };

    FactorStatus status = FactorStatus::success;
    Factorization factorization = Factorization::lu;  // the one carried out
    Pivoting pivoting = Pivoting::threshold;  // the one carried out, never automatic
    bool fell_back_to_ldlt = false;  // automatic chose LL^T, a pivot was not surely positive, LDL^T followed
    bool escalated = false;  // in place of static factors that no refinement could repair
    bool stale_matching = false;  // the analysis' matching suits these values badly
    double seconds = 0;
    Pivots pivots;
    Memory memory;
    Place place;
    Work work;

    double gflops_per_second() const { return seconds > 0 ? work.flops / seconds * 1e-9 : 0; }
};

enum class SolveStatus : std::uint8_t {
    converged,  // componentwise backward error at most target_backward_error, or 450 eps without one
    not_converged,  // worse than asked, or the residual is too large a part of b; the errors say how much
    not_measured,  // a part of a solve, which has no error
};

struct [[nodiscard]] SolveReport {
    SolveStatus status = SolveStatus::converged;
    double seconds = 0;  // all of the solve, refinement and error computation included
    double substitution_seconds = 0;  // part spent in forward and backward substitution
    index_t rhs = 0;
    index_t refinement_steps = 0;  // largest over the right-hand sides
    index_t krylov_iterations = 0;  // largest over the right-hand sides; 0: GMRES was not needed
    double backward_error = 0;  // normwise, largest over the right-hand sides; NaN for a part of a solve
    /// max_i |r_i| / d_i, d = |op(A)| |x| + |b|, of rows where d_i is tiny next to the row's sum and ||x|| with that in its
    /// place (docs/solve.md#errors). 1 also where the residual is too large a part of b.
    double componentwise_backward_error = 0;
    /// The same with d in all rows. Much larger than componentwise_backward_error where parts of x are tiny, and are no more
    /// than rounding of the others. Largest over the right-hand sides.
    double pure_componentwise_backward_error = 0;
    std::vector<double> backward_errors;  // [rhs]
    std::vector<double> componentwise_backward_errors, pure_componentwise_backward_errors;
    /// Bounds, on request, of ||x - x*||_inf / ||x||_inf, estimated as ||A^-1| (|r| + rounding)| in the
    /// inf-norm [ArioliDemmelDuff1989]; infinite for singular factors.
    std::optional<double> forward_error;  // largest over the right-hand sides
    std::vector<double> forward_errors;  // [rhs]
    bool escalated = false;  // Solver::solve factored again, with threshold pivoting
    /// A cheap estimate, mostly from below, of ConditionEstimate::skeel_condition, made at the first solve of all with
    /// these factors: where the analysis predicts at most 50,000 entries of them and they are the first that a Solver made
    /// with it, or where the sizes of their pivots suggest a large condition. Those of a large system need not show its condition (triangles with ones on the
    /// diagonal, Kahan's): condition_estimate(factors) does not rely on them. Empty: neither holds, status of the
    /// factors is not success, a part of a solve, SolveOptions::condition_hint is off, or memory or time for it was refused.
    std::optional<double> condition_hint;
    bool ill_conditioned = false;  // by that estimate: maybe no digit of the solution is right
    /// The substitution ran on the device; of several ranks: with the subtrees that each has for itself, on its device.
    bool on_device = false;
    std::string place_reason;  // else: why, in a session with devices
    count_t memory_bytes = 0;  // of the host, as predicted: what this solve held in addition to the factors, B and X
    index_t columns_at_once = 0;  // fewer than rhs where memory for all was not there
    /// Refinement ended early, GMRES or an escalation was left out, or forward_errors are, since the budget or the
    /// system had no memory for it. X is as good as the errors say.
    bool short_of_memory = false;
};

/// What one rank of a Solver has done since the Solver was made. In a session without a communicator: this process.
struct RankReport {
    index_t rank = 0;
    count_t analysis_bytes = 0;  // of its part of the analysis, for the present factors; rank 0 has all of it
    count_t factor_bytes = 0;  // of the present factors
    count_t peak_bytes = 0;  // of the last factorization, and what this rank has of A in row blocks
    count_t peak_bytes_predicted = 0;  // bound that the factorization kept to, and the same of A
    double flops = 0;  // of the last factorization
    double seconds = 0;  // inside calls of the Solver
    // Entries of A, vectors, lists of rows, contribution blocks between ranks; not what MPI sends for reductions and
    // broadcasts, nor the notes by which the two ends of a message find each other.
    count_t bytes_sent = 0, bytes_received = 0, messages_sent = 0, messages_received = 0;
    count_t tree_bytes_sent = 0, tree_messages_sent = 0;  // of these between tasks: of factorizations and substitutions
    // The part of these that tasks of the last factorization exchanged: what frond analyze --ranks predicts.
    count_t factor_bytes_sent = 0, factor_bytes_received = 0, factor_messages_sent = 0, factor_messages_received = 0;
    count_t factor_bytes_from_devices = 0;  // of those received: copied from the memory of another rank's device
    double idle_seconds = 0;  // part of seconds: waiting for other ranks
};

const char* to_string(Pivoting value) noexcept;
const char* to_string(FactorStatus status) noexcept;
const char* to_string(SolveStatus status) noexcept;

}  // namespace frond
