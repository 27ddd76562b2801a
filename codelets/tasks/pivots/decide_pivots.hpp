// SPDX-License-Identifier: BSD-3-Clause
// Threshold pivoting in a front that several ranks share: what the ranks of a panel's tiles say, and what the rank of its
// diagonal tile decides.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/failed_parts.hpp"

namespace frond {

/// What a rank says of the tiles of a panel that it has solved: a message of static size.
struct TileLimit {
    std::int64_t columns = -1;  // that they let stay; -1: the rank has stopped
    double largest_l = 0;
};

/// tell_limit, on a rank that solves tiles of L of a panel of another rank: RW pivot record (all of them are solved), W
/// limit (a vector of its bytes).
struct TellLimitArguments : TaskArguments {};
starpu_codelet& tell_limit_codelet();

/// decide_pivots, on the rank of the diagonal tile: R diagonal tile, RW pivot record, RW part of the failed columns in this
/// panel, W accepted panel, R limits of other ranks. See cpu::decide_pivots.
struct DecidePivotsArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    PivotRule rule;
    const TileGrid* grid = nullptr;
    index_t panel = 0;
    index_t most_failed = -1;  // as of accept_pivots
    index_t limits = 0;
    cpu::MemoryAccount* account = nullptr;
};
template <class T>
starpu_codelet& decide_pivots_codelet();

}  // namespace frond
