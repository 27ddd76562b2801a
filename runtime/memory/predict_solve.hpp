// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/solver.hpp"

namespace frond::detail {

/// How many right-hand sides of a solve go together, and what else of it takes memory.
struct SolveShape {
    index_t columns = 1;  // permuted, substituted and refined at one time
    index_t block = 64;  // of them in one substitution; several go side by side
    index_t gmres_restart = 0;  // 0: no GMRES
    bool copies_b = false;  // X is B, and the residuals need B
    bool forward_error = false;
    bool gmres_asks = false;  // gmres_restart was not compared with the free memory; GMRES has to, when it begins
    bool other_system = false;  // row sums of op(A) for errors, which the first solve makes and the factors keep
};

/// All right-hand sides at one time.
SolveShape wanted_shape(index_t rhs, const SolveOptions& options);

inline constexpr index_t largest_gmres_restart = 30, smallest_gmres_restart = 4;

/// Predicts the bytes of the vectors of a solve, tasks and handles included, for factors in the host's memory.
template <class T>
class SolveBytes {
public:
    /// Cost: O(fronts).
    SolveBytes(const Analysis& analysis, index_t workers);

    count_t of(const SolveShape& shape) const;
    /// What the hint of a large condition takes in addition to B and X, where none was made for these factors before.
    count_t condition_hint() const;
    /// What null_sizes takes for so many vectors, and twice as many rows.
    count_t null_sizes(index_t vectors) const;
    /// What a solve needs however little it may have: one right-hand side after the other, without GMRES.
    count_t least(SolveShape wanted) const;
    /// The shape within the bound that is nearest to the one wanted: fewer columns (whole blocks while there are
    /// several), then fewer vectors of GMRES, or none.
    /// @throws MemoryBudgetExceeded below least(wanted)
    SolveShape fitted(SolveShape wanted, count_t bound_bytes) const;

private:
    count_t substitution(const SolveShape& shape) const;
    count_t inverse(count_t columns) const;
    count_t system() const;

    count_t order_ = 0;
    count_t contribution_rows_ = 0;  // of all units
    count_t largest_rows_ = 0, root_rows_ = 0;  // contribution rows in a subtree's front, and of its root, at most
    count_t leases_ = 0;  // subtrees that are solved with at one time, at most
    count_t product_rows_ = 0;  // of products with tiles that are made apart at one time, at most
    count_t gathered_rows_ = 0;  // of fronts whose second passes are at work at one time, at most
    count_t handles_ = 0, tasks_ = 0;  // of one substitution; tasks that wait at one time
};

}  // namespace frond::detail
