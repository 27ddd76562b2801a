// SPDX-License-Identifier: BSD-3-Clause
#include "tree_parts.hpp"

#include <algorithm>

namespace frond {

// Rows of a front = neighbours of its columns and rows of its children, those past its last column.
// One pass bottom up; mark[r] = f once row r has been listed for front f.
void find_front_rows(const Pattern& graph, const PostorderedTree& elimination, AssemblyTree& tree) {
    count_t total = 0;
    for (Front& front : tree.fronts) {
        front.rows_begin = total;
        total += front.ncb();
    }
    tree.rows.resize(static_cast<std::size_t>(total));
    std::vector<index_t> mark(static_cast<std::size_t>(tree.order), -1);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[f];
        const index_t columns_end = front.first_column + front.npiv;
        index_t* const first = tree.rows.data() + front.rows_begin;
        index_t* last = first;
        const auto list = [&](index_t r) {
            if (r < columns_end || mark[r] == f) return;
            mark[r] = f;
            *last++ = r;
        };
        for (count_t c = tree.child_begin[f]; c < tree.child_begin[f + 1]; ++c) {
            const Front& child = tree.fronts[tree.children[c]];
            const index_t* rows = tree.rows.data() + child.rows_begin;
            for (index_t i = 0; i < child.ncb(); ++i) list(rows[i]);
        }
        for (index_t k = front.first_column; k < columns_end; ++k) {
            const index_t v = elimination.order[k];
            for (count_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e) {
                list(elimination.position[graph.row[e]]);
            }
        }
        std::sort(first, last);
    }
}

// Row r of a child is column r - first_column of the parent, or one of its rows: local[] holds
// their numbers while the parent's children are visited.
void find_relative_rows(AssemblyTree& tree) {
    tree.relative_rows.resize(tree.rows.size());
    std::vector<index_t> local(static_cast<std::size_t>(tree.order));
    for (index_t f = 0; f < tree.front_count(); ++f) {
        if (tree.child_begin[f] == tree.child_begin[f + 1]) continue;
        const Front& front = tree.fronts[f];
        for (index_t i = 0; i < front.npiv; ++i) local[front.first_column + i] = i;
        for (index_t i = 0; i < front.ncb(); ++i) {
            local[tree.rows[front.rows_begin + i]] = front.npiv + i;
        }
        for (count_t c = tree.child_begin[f]; c < tree.child_begin[f + 1]; ++c) {
            const Front& child = tree.fronts[tree.children[c]];
            for (index_t i = 0; i < child.ncb(); ++i) {
                const count_t e = child.rows_begin + i;
                tree.relative_rows[e] = local[tree.rows[e]];
            }
        }
    }
}

} // namespace frond
