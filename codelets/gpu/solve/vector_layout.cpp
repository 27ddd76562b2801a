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

std::uint32_t first_contribution_row(const AssemblyTree& tree, const VectorLayout& layout, index_t f) {
    return layout.first_row[at(f)] + static_cast<std::uint32_t>(tree.fronts[at(f)].npiv);
}

/// visit(row of the parent or outside, contribution row) for the contribution rows of all fronts, children in order.
template <class Visit>
void for_each_pull(const AssemblyTree& tree, const VectorLayout& layout, Visit visit) {
    auto outside = static_cast<std::uint32_t>(layout.rows);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        const std::uint32_t own = first_contribution_row(tree, layout, f);
        for (index_t r = 0; r < front.ncb(); ++r) {
            const std::uint32_t to = front.parent < 0
                                         ? outside++
                                         : layout.first_row[at(front.parent)] +
                                               static_cast<std::uint32_t>(tree.relative_rows[at(front.rows_begin + r)]);
            visit(to, own + static_cast<std::uint32_t>(r));
        }
    }
}

/// Contribution rows have the positions of the parent's rows: what a branch knows of the rows of a larger tree.
void number_rows(const AssemblyTree& tree, const VectorLayout& layout, LargeVector<index_t>& position) {
    for (count_t k = 0; k < layout.outside; ++k) position[at(layout.rows + k)] = ~static_cast<index_t>(tree.order + k);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        for (index_t r = 0; r < front.npiv; ++r) position[layout.first_row[at(f)] + at(r)] = front.first_column + r;
    }
    index_t outside = static_cast<index_t>(tree.order + layout.outside);
    for (index_t f = tree.front_count(); f-- > 0;) {  // parents first
        const Front& front = tree.fronts[at(f)];
        index_t* const own = position.data() + first_contribution_row(tree, layout, f);
        if (front.parent < 0) outside -= front.ncb();
        for (index_t r = 0; r < front.ncb(); ++r) {
            if (front.parent < 0) {
                own[r] = ~(outside + r);
                continue;
            }
            const index_t above =
                position[layout.first_row[at(front.parent)] + at(tree.relative_rows[at(front.rows_begin + r)])];
            own[r] = above >= 0 ? ~above : above;
        }
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
            if (tree.fronts[at(f)].parent < 0) layout.outside += tree.fronts[at(f)].ncb();
            if (layout.rows + layout.outside > std::numeric_limits<std::uint32_t>::max() ||
                tree.order + layout.outside > std::numeric_limits<index_t>::max())
                throw DeviceError("the fronts have 2^32 rows or more: too many for a solve on one device");
        }
    }
    layout.level_rows.push_back(static_cast<std::uint32_t>(layout.rows));
    return layout;
}

RowTables row_tables(const AssemblyTree& tree, const VectorLayout& layout) {
    RowTables t;
    const count_t rows = layout.rows + layout.outside;
    t.position.resize(at(rows));
    number_rows(tree, layout, t.position);
    t.pull_begin.assign(at(rows) + 1, 0);
    for_each_pull(tree, layout, [&](std::uint32_t row, std::uint32_t) { ++t.pull_begin[at(row) + 1]; });
    for (count_t r = 0; r < rows; ++r) t.pull_begin[at(r) + 1] += t.pull_begin[at(r)];
    t.pull.resize(t.pull_begin.back());
    LargeVector<std::uint32_t> next(t.pull_begin.begin(), t.pull_begin.end() - 1);
    for_each_pull(tree, layout, [&](std::uint32_t row, std::uint32_t from) { t.pull[next[row]++] = from; });
    return t;
}

}  // namespace frond::gpu
