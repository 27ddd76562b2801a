// SPDX-License-Identifier: BSD-3-Clause
#include "solve/vector_layout.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

std::vector<index_t> levels_of(const AssemblyTree& tree) {
    std::vector<index_t> level(tree.fronts.size(), 0);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t parent = tree.fronts[at(f)].parent;
        if (parent >= 0) level[at(parent)] = std::max(level[at(parent)], level[at(f)] + 1);
    }
    return level;
}

/// visit(row of the parent, contribution row) for the contribution rows of all fronts, children in order.
template <class Visit>
void for_each_pull(const AssemblyTree& tree, const VectorLayout& layout, Visit visit) {
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        if (front.parent < 0) continue;
        const std::uint32_t parent = layout.first_row[at(front.parent)];
        const std::uint32_t own = layout.first_row[at(f)] + static_cast<std::uint32_t>(front.npiv);
        for (index_t r = 0; r < front.ncb(); ++r)
            visit(parent + static_cast<std::uint32_t>(tree.relative_rows[at(front.rows_begin + r)]),
                  own + static_cast<std::uint32_t>(r));
    }
}

}  // namespace

VectorLayout lay_out_vectors(const AssemblyTree& tree) {
    const std::vector<index_t> level = levels_of(tree);
    const index_t levels = level.empty() ? 0 : *std::max_element(level.begin(), level.end()) + 1;
    VectorLayout layout;
    layout.level_begin.assign(at(levels) + 1, 0);
    for (const index_t l : level) ++layout.level_begin[at(l) + 1];
    for (index_t l = 0; l < levels; ++l) layout.level_begin[at(l) + 1] += layout.level_begin[at(l)];
    layout.fronts.resize(level.size());
    std::vector<count_t> next = layout.level_begin;
    for (index_t f = 0; f < tree.front_count(); ++f) layout.fronts[at(next[at(level[at(f)])]++)] = f;

    layout.first_row.resize(level.size());
    layout.level_rows.reserve(at(levels) + 1);
    for (index_t l = 0; l < levels; ++l) {
        layout.level_rows.push_back(static_cast<std::uint32_t>(layout.rows));
        for (count_t n = layout.level_begin[at(l)]; n < layout.level_begin[at(l) + 1]; ++n) {
            const index_t f = layout.fronts[at(n)];
            layout.first_row[at(f)] = static_cast<std::uint32_t>(layout.rows);
            layout.rows += tree.fronts[at(f)].nfront;
            if (layout.rows > std::numeric_limits<std::uint32_t>::max())
                throw DeviceError("the fronts have 2^32 rows or more: too many for a solve on one device");
        }
    }
    layout.level_rows.push_back(static_cast<std::uint32_t>(layout.rows));
    return layout;
}

RowTables row_tables(const AssemblyTree& tree, const VectorLayout& layout) {
    RowTables t;
    t.position.resize(at(layout.rows));
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        index_t* const position = t.position.data() + layout.first_row[at(f)];
        for (index_t r = 0; r < front.npiv; ++r) position[r] = front.first_column + r;
        for (index_t r = 0; r < front.ncb(); ++r) position[front.npiv + r] = ~tree.rows[at(front.rows_begin + r)];
    }
    t.pull_begin.assign(at(layout.rows) + 1, 0);
    for_each_pull(tree, layout, [&](std::uint32_t row, std::uint32_t) { ++t.pull_begin[at(row) + 1]; });
    for (count_t r = 0; r < layout.rows; ++r) t.pull_begin[at(r) + 1] += t.pull_begin[at(r)];
    t.pull.resize(t.pull_begin.back());
    LargeVector<std::uint32_t> next(t.pull_begin.begin(), t.pull_begin.end() - 1);
    for_each_pull(tree, layout, [&](std::uint32_t row, std::uint32_t from) { t.pull[next[row]++] = from; });
    return t;
}

}  // namespace frond::gpu
