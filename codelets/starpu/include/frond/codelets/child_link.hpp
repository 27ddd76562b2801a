// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "frond/codelets/solve_tasks.hpp"

namespace frond {

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
