// SPDX-License-Identifier: BSD-3-Clause
// George 1973, "Nested dissection of a regular finite element mesh": a plane of nodes across the
// longest side separates a box, for stencils that reach one node in every direction (5, 7, 9 or 27
// points).
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "ordering_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>

namespace frond {
namespace {

struct Box {
    std::array<index_t, 3> low;  // first node in x, y, z
    std::array<index_t, 3> size;  // nodes in x, y, z

    count_t nodes() const { return count_t{size[0]} * size[1] * size[2]; }

    std::size_t longest() const {
        return static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
    }

    Box slice(std::size_t axis, index_t from, index_t to) const {
        Box part = *this;
        part.low[axis] = low[axis] + from;
        part.size[axis] = to - from;
        return part;
    }
};

/// A box this small is eliminated as it lies: more separators would not save fill.
constexpr count_t leaf_nodes = 8;
/// Separators are numbered by halves down to pieces of this size, so that the rows which a child's
/// separator touches lie together.
constexpr count_t compact_nodes = 32;

class Dissection {
public:
    Dissection(std::array<index_t, 3> grid, index_t dofs) : grid_(grid), dofs_(dofs) {}

    void dissect(const Box& box) {
        const std::size_t axis = box.longest();
        const index_t length = box.size[axis];
        if (box.nodes() == 0) return;
        if (length < 3 || box.nodes() <= leaf_nodes) return append(box);
        const index_t middle = length / 2;
        dissect(box.slice(axis, 0, middle));
        dissect(box.slice(axis, middle + 1, length));
        append_by_halves(box.slice(axis, middle, middle + 1));
    }

    std::vector<index_t> order;

private:
    void append_by_halves(const Box& box) {
        if (box.nodes() <= compact_nodes) return append(box);
        const std::size_t axis = box.longest();
        append_by_halves(box.slice(axis, 0, box.size[axis] / 2));
        append_by_halves(box.slice(axis, box.size[axis] / 2, box.size[axis]));
    }

    void append(const Box& box) {
        for (index_t z = box.low[2]; z < box.low[2] + box.size[2]; ++z)
            for (index_t y = box.low[1]; y < box.low[1] + box.size[1]; ++y)
                for (index_t x = box.low[0]; x < box.low[0] + box.size[0]; ++x) {
                    const index_t node = x + grid_[0] * (y + grid_[1] * z);
                    for (index_t d = 0; d < dofs_; ++d) order.push_back(d + dofs_ * node);
                }
    }

    std::array<index_t, 3> grid_;
    index_t dofs_;
};

std::string describe(std::array<index_t, 3> grid, index_t dofs) {
    return std::to_string(grid[0]) + " x " + std::to_string(grid[1]) + " x " + std::to_string(grid[2]) + " with " +
           std::to_string(dofs) + " unknowns a node";
}

}  // namespace

std::vector<index_t> geometric_nested_dissection(std::array<index_t, 3> grid, index_t dofs) {
    constexpr count_t limit = std::numeric_limits<index_t>::max();
    count_t unknowns = dofs;
    FROND_EXPECTS(dofs >= 1, "the grid is " + describe(grid, dofs) + "; give at least 1");
    for (const index_t side : grid) {
        FROND_EXPECTS(side >= 1, "the grid is " + describe(grid, dofs) + "; give sides of at least 1");
        unknowns *= side;
        FROND_EXPECTS(unknowns <= limit, "the grid is " + describe(grid, dofs) + "; at most " + std::to_string(limit) +
                                             " unknowns are possible");
    }
    Dissection dissection(grid, dofs);
    dissection.order.reserve(static_cast<std::size_t>(unknowns));
    dissection.dissect({{0, 0, 0}, grid});
    return std::move(dissection.order);
}

bool is_stencil_of_grid(const Pattern& graph, const AnalysisOptions& options) {
    const auto place = [&](index_t unknown) {
        const index_t node = unknown / options.grid_dofs;
        const index_t row = node / options.grid[0];
        return std::array<index_t, 3>{node % options.grid[0], row % options.grid[1], row / options.grid[1]};
    };
    for (index_t j = 0; j < graph.cols; ++j) {
        const std::array<index_t, 3> here = place(j);
        for (count_t e = graph.begin[j]; e < graph.begin[j + 1]; ++e) {
            const std::array<index_t, 3> there = place(graph.row[e]);
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (std::abs(here[axis] - there[axis]) > 1) return false;
        }
    }
    return true;
}

}  // namespace frond
