// SPDX-License-Identifier: BSD-3-Clause
// What ranks agree on before they substitute together.
#pragma once

#include <cstdint>

#include "frond/solver.hpp"

namespace frond::detail {

/// Who makes the sweeps through the branches of a rank (analysis/pieces.hpp).
enum class BranchPlace : std::int64_t {
    none,  // it has none
    device,
    no_device,  // from here on: cores, since the rank has none, or
    host_asked,
    part_asked,  // of a solve
    made_by_tasks,
    elsewhere,  // the factors are not on one device
    no_room,
    slower  // the device is expected to be
};
/// The last place of that list that some rank has, and the first rank with it.
struct AgreedPlace {
    BranchPlace place = BranchPlace::none;
    index_t rank = 0;
};

/// A substitution with factors whose units several ranks have. The same on all of them.
struct SharedSolve {
    Operation operation = Operation::none;  // other than none for L U only
    SolvePart part = SolvePart::all;
    SolvePlace place = SolvePlace::automatic;  // of branches
    index_t block_columns = 64;  // right-hand sides that go through the tree together
    count_t group_scalars = 0;  // of the factors of units that are one task, at most; 0: none is
    std::int64_t solver = 0;  // see MessageTag
    std::int64_t call = 0;  // of the solver, modulo 16: see MessageTag
};

}  // namespace frond::detail
