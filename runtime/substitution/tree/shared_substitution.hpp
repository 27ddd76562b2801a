// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>

#include "substitution/tree/solve_layout.hpp"
#include "substitution/tree/substitution.hpp"

namespace frond::detail {

/// The part of one rank in a substitution with factors that several ranks share: op(L), D, op(U) or L^T as `part` says,
/// over the units of the tree, in blocks of right-hand sides, with the bits of a substitution in one process.
/// All ranks make one with the same SharedSolve and as many columns, and run it; neither needs the matrix nor its scaling.
///
/// x [n, rhs] in elimination order, in place: before, the positions of solve_layouts(...).before are read on each rank,
/// afterwards those of `after` are right. What else is in x is not read, and may be overwritten.
///
/// Errors: the constructor takes all memory that messages need, so that it throws before any is posted; ranks must agree
/// that all have passed it before one calls run(). In run(), an error or a cancellation stops the rank's tasks alone. All
/// messages still flow, so every rank returns; those that have not failed do not know that their results are void. Whoever
/// calls must tell them.
///
/// @pre  factors.ownership.share is not null; factors.ownership.second_pass_positions has those of all ranks; x.rows = order of the matrix
template <class T>
class SharedSubstitution {
public:
    /// job: of this substitution alone. It, and what devices names, must outlive this.
    /// most_message_bytes: see SharedBlock.
    /// @throws InvalidArgument (on all ranks that it concerns), OutOfMemory
    SharedSubstitution(const TreeFactors<T>& factors, const SharedSolve& solve, DenseView<T> x, Job& job,
                       const DeviceShare<T>& devices = {}, count_t most_message_bytes = most_static_bytes);

    /// Once. x is in the host's memory afterwards. @throws the first error of this rank, when its tasks and messages have ended
    void run();

private:
    JobGuard guard_;
    SolvePart part_;
    Job& job_;
    SubstitutionPlan plan_;
    PositionRoutes routes_;
    WorkspacePool workspaces_;
    std::deque<Substitution<T>> blocks_;
};

/// Constructs and runs one, for callers that need no agreement in between.
template <class T>
void substitute_shared(const TreeFactors<T>& factors, const SharedSolve& solve, DenseView<T> x, Job& job);

}  // namespace frond::detail
