// SPDX-License-Identifier: BSD-3-Clause
// Who has which units of a tree's factors.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "factors/remote_pivots.hpp"
#include "factors/second_pass_positions.hpp"
#include "messages/tree_share.hpp"

namespace frond::detail {

template <class T>
class FactorsState;

/// This process has all units, or it has a share of them next to other processes.
template <class T>
struct Ownership {
    std::shared_ptr<const TreeShare> share;  // null: this process has all, and everything below is empty
    RemotePivots<T> remote_pivots;  // of the others' units, on process 0
    std::vector<SecondPassPositions> second_pass_positions;  // of the units of all processes
    // Where devices have factored the branches of this process: their factors, until bring_branches_to_host gives those
    // units to this process under place_mutex; and the fronts of these units with their pivots. Else null and empty.
    std::shared_ptr<FactorsState<T>> branches;
    mutable bool has_units_of_branches = false;
    std::vector<index_t> units_of_devices;  // ascending
    ListedPivots<T> own_pivots;  // theirs; all columns of this process have an entry there

    bool is_alone() const noexcept { return share == nullptr; }
    /// A unit is named by its front (a subtree's root).
    bool has_part(index_t unit) const { return is_alone() || share->has_part(unit); }
    bool owns(index_t unit) const { return is_alone() || share->owns(unit); }
    bool is_made_by_devices(index_t unit) const {
        return std::binary_search(units_of_devices.begin(), units_of_devices.end(), unit);
    }
};

}  // namespace frond::detail
