// SPDX-License-Identifier: BSD-3-Clause
// How a tree is cut into pieces with little room on the first device, and how much room makes so many.
#pragma once

#include "kept_tree.hpp"
#include "submit/whole_tree/plan_tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

namespace frond::test {

/// A tree as it is planned with so much room, before a pivot fails.
struct Cut {
    count_t room_bytes = 0;
    index_t pieces = 0;  // 0: not even the pieces fit, unless fronts are cut, too
    bool blocks_on_host = false, factors_on_host = false;  // some of them
};

template <class T>
Cut cut_with(const std::shared_ptr<const Analysis>& analysis, count_t room_bytes) {
    const SmallPieces forced;
    detail::TreeWorkspace<T> workspace(analysis);
    workspace.room_bytes = room_bytes;
    detail::plan_what_fits(workspace, {gpu::first_device().value()});
    if (!detail::fits(workspace, room_bytes) || workspace.failed.is_only_split()) return {room_bytes};
    return {room_bytes, static_cast<index_t>(workspace.resident->pieces().size()), workspace.resident->host_bytes() > 0,
            workspace.factors_on_host()};
}

/// The pieces of that plan.
template <class T>
std::vector<gpu::TreePiece> pieces_of(const std::shared_ptr<const Analysis>& analysis, const Cut& cut) {
    const SmallPieces forced;
    detail::TreeWorkspace<T> workspace(analysis);
    workspace.room_bytes = cut.room_bytes;
    detail::plan_what_fits(workspace, {gpu::first_device().value()});
    return workspace.resident->pieces();
}

/// With all of it on the device at once.
template <class T>
count_t whole_bytes(const std::shared_ptr<const Analysis>& analysis) {
    const auto whole = gpu::plan_resident_factorization<T>({gpu::first_device().value()}, analysis,
                                                           {.most_bytes = std::numeric_limits<count_t>::max() / 4});
    return whole->bytes() + detail::factor_bytes_on_device<T>(*analysis);
}

/// All ways in which less and less room cuts the tree, from the whole one on. What makes the cut is the number of scalars
/// that have room, so the steps count scalars, not bytes: tables, which are most of what a small tree takes in single
/// precision, would make them coarser there.
template <class T>
std::vector<Cut> cuts_of(const std::shared_ptr<const Analysis>& analysis) {
    constexpr count_t steps_of_factors = 64;
    const count_t step_bytes = std::max<count_t>(detail::factor_bytes_on_device<T>(*analysis) / steps_of_factors, 1);
    std::vector<Cut> cuts;
    Cut cut = cut_with<T>(analysis, whole_bytes<T>(analysis));
    for (; cut.pieces > 0; cut = cut_with<T>(analysis, cut.room_bytes - step_bytes)) cuts.push_back(cut);
    return cuts;
}

/// The one whose number of pieces, above one, is nearest to that, with as much room as it may have.
inline Cut nearest_cut(const std::vector<Cut>& cuts, index_t pieces) {
    Cut nearest;
    for (const Cut& cut : cuts)
        if (cut.pieces > 1 &&
            (nearest.pieces == 0 || std::abs(cut.pieces - pieces) < std::abs(nearest.pieces - pieces)))
            nearest = cut;
    return nearest;
}

}  // namespace frond::test
