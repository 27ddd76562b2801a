// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "frond/analysis/assembly_tree.hpp"
#include "frond/base/large_vector.hpp"

namespace frond::gpu {

/// Where the rows of every front are in one vector: fronts by level, the leaves first, so that the rows of a
/// level are one range. Level of a front: 0, or one more than that of its highest child. Behind them, where the trees are
/// branches of a larger one, follow the contribution rows of their roots once more, root after root: what the larger tree
/// takes from them.
struct VectorLayout {
    std::vector<index_t> fronts;  // by level, in postorder within each
    std::vector<count_t> level_begin;  // [levels + 1] in fronts
    std::vector<std::uint32_t> level_rows;  // [levels + 1] rows where levels begin
    std::vector<std::uint32_t> first_row;  // [fronts] by front number
    count_t rows = 0;  // of the fronts
    count_t outside = 0;  // of the roots, behind

    index_t levels() const { return static_cast<index_t>(level_begin.size()) - 1; }
};

/// @throws DeviceError when the rows are 2^32 or more, or rows outside and columns 2^31
VectorLayout lay_out_vectors(const AssemblyTree& tree);

/// Tables of kernels/substitution/solve_vectors.hpp, by row. The rows outside have positions behind those of the tree.
struct RowTables {
    LargeVector<index_t> position;  // [rows + outside]
    LargeVector<std::uint32_t> pull_begin;  // [rows + outside + 1]
    LargeVector<std::uint32_t> pull;  // [contribution rows of all fronts]
};
RowTables row_tables(const AssemblyTree& tree, const VectorLayout& layout);

}  // namespace frond::gpu
