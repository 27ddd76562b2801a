// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "factors/tree_factors.hpp"
#include "factors/shared_solve.hpp"
#include "substitution/tree/branches/device_share.hpp"

namespace frond::detail {

/// How a rank substitutes with its branches and with the fronts above.
template <class T>
struct ReadyBranches {
    BranchPlace place = BranchPlace::none;
    std::unique_ptr<BranchSweeps<T>> sweeps;  // place = device, else null; the factors stay there while it lives
    std::vector<std::uint8_t> fronts;  // see fronts_on_device

    /// While this lives.
    DeviceShare<T> of_device() const { return {sweeps.get(), fronts}; }
};

/// Before a solve of so many right-hand sides by several ranks: the factors of this rank's branches are made ready on its device,
/// where they are all there, there is room for what a solve needs in addition, and that is expected to pay; with
/// `deterministic` it need not. Else they go to the host, where they stay. No other rank is asked. The tiles of other
/// fronts go to the host, but where fronts_on_device() says that they are solved with where they are.
/// @throws OutOfMemory where the host has no room, DeviceError
template <class T>
ReadyBranches<T> ready_branches(const TreeFactors<T>& factors, const SharedSolve& solve, index_t rhs);

/// Why the branches of that rank are substituted with on cores; empty: they are not.
std::string text_of(AgreedPlace agreed);

}  // namespace frond::detail
