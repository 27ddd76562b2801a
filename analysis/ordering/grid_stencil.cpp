// SPDX-License-Identifier: BSD-3-Clause
#include "ordering_parts.hpp"

#include <array>
#include <cstdlib>

namespace frond {

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
