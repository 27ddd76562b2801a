// SPDX-License-Identifier: BSD-3-Clause
// What ranks agree on before they substitute together.
#pragma once

#include <cstdint>

#include "frond/solver.hpp"

namespace frond::detail {

/// A substitution with factors whose units several ranks have. The same on all of them.
struct SharedSolve {
    Operation operation = Operation::none;  // other than none for L U only
    SolvePart part = SolvePart::all;
    index_t block_columns = 64;  // right-hand sides that go through the tree together
    count_t group_scalars = 0;  // of the factors of units that are one task, at most; 0: none is
    std::int64_t solver = 0;  // see MessageTag
    std::int64_t call = 0;  // of the solver, modulo 16: see MessageTag
};

}  // namespace frond::detail
