// SPDX-License-Identifier: BSD-3-Clause
// What ranks agree on before they substitute together.
#pragma once

#include <cstdint>
#include <functional>

#include "frond/cpu/dense_view.hpp"
#include "frond/solver.hpp"

namespace frond::detail {

/// A substitution with factors whose units several ranks have. The same on all of them.
struct SharedSolve {
    Operation operation = Operation::none;  // other than none for L U only
    SolvePart part = SolvePart::all;
    index_t block_columns = 64;  // right-hand sides that go through the tree together
    std::int64_t call = 0;  // of the solver, modulo 16: see MessageTag
};

/// What the rank that calls a solve does about the other ranks, which substitute with it. It says `call`, gives the others
/// their parts of x [n, rhs] in elimination order, calls own_part, which carries out this rank's part, and brings the
/// results into x. Empty: x is where it is needed, and call is 0.
template <class T>
using AroundSharedSolve =
    std::function<void(SharedSolve& solve, DenseView<T> x, const std::function<void()>& own_part)>;

}  // namespace frond::detail
