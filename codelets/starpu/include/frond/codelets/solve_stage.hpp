// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cstdint>
#include <vector>

namespace frond {

/// L, D and L^T of a substitution; L and U have no diagonal stage.
enum class SolveStage : std::uint8_t { forward, diagonal, backward };

constexpr const char* text_of(SolveStage stage) {
    return stage == SolveStage::forward ? "forward" : stage == SolveStage::diagonal ? "diagonal" : "backward";
}

/// Where the buffers of a task have a row of a vector of which they are segments.
struct SegmentRow {
    int segment = 0;  // the number of a segment among these buffers
    index_t row = 0;
};

/// Adds (forward) or copies (backward) between the contribution vector of a child and its parent's
/// segments: child row r is parent row relative_rows[r].
struct ChildLink {
    const index_t* relative_rows = nullptr;
    index_t ncb = 0;
    std::vector<index_t> child_cut;  // rows of the child's buffers: [child_cut[b], child_cut[b + 1])
    std::vector<index_t> parent_cut;  // local rows of the parent's buffers likewise
};

/// Calls visit(child buffer, row in it, parent buffer, row in it) for every row of the child.
template <class Visit>
void for_each_linked_row(const ChildLink& link, Visit visit) {
    std::size_t p = 0;
    for (std::size_t c = 0; c + 1 < link.child_cut.size(); ++c)
        for (index_t r = link.child_cut[c]; r < link.child_cut[c + 1]; ++r) {
            const index_t row = link.relative_rows[r];
            while (row >= link.parent_cut[p + 1]) ++p;
            visit(static_cast<int>(c), r - link.child_cut[c], static_cast<int>(p), row - link.parent_cut[p]);
        }
}

}  // namespace frond
