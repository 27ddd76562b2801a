// SPDX-License-Identifier: BSD-3-Clause
// Which entries of a vector the second passes of fronts on tiles use, for ranks that do not have these factors.
#pragma once

#include <vector>

#include "frond/base/types.hpp"

namespace frond::detail {

template <class T>
class TreeFactors;

/// The positions that the rows and columns of a front's second pass have in a substitution.
struct SecondPassPositions {
    index_t front = -1;  // on tiles
    std::vector<index_t> positions;  // ascending, each once

    bool operator==(const SecondPassPositions&) const = default;
};

/// The positions of the fronts on tiles that this process has and that have a second pass, in ascending order. Those of
/// all ranks, merged by their fronts, are Ownership::second_pass_positions.
template <class T>
std::vector<SecondPassPositions> own_second_pass_positions(const TreeFactors<T>& factors);

}  // namespace frond::detail
