// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "substitution/tree/branches/branch_sweeps.hpp"

namespace frond::detail {

/// What the device of a rank does in its substitutions.
template <class T>
struct DeviceShare {
    BranchSweeps<T>* branches = nullptr;  // null: tasks do them. Outlives the substitutions
    std::vector<std::uint8_t> fronts;  // as mapping.grids, 1: tasks on the tiles of the front run there. Empty: none do
};

}  // namespace frond::detail
