// SPDX-License-Identifier: BSD-3-Clause
#include "factors/second_pass_positions.hpp"

#include <algorithm>

#include "factors/tree_factors.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// Mostly every column's position is a row's, too.
template <class T>
std::vector<index_t> positions_of(const cpu::SecondPass<T>& second_pass) {
    std::vector<index_t> positions = second_pass.row_position;
    positions.insert(positions.end(), second_pass.column_position.begin(), second_pass.column_position.end());
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
}

}  // namespace

template <class T>
std::vector<SecondPassPositions> own_second_pass_positions(const TreeFactors<T>& factors) {
    std::vector<SecondPassPositions> all;
    const Mapping& mapping = factors.analysis->mapping;
    for (index_t f = 0; f < factors.analysis->tree.front_count(); ++f) {
        const index_t grid = mapping.grid_of_front[at(f)];
        if (grid < 0 || factors.tiled()[at(grid)] == nullptr || !factors.tiled()[at(grid)]->has_second_pass()) continue;
        all.push_back({f, positions_of(factors.tiled()[at(grid)]->second_pass())});
    }
    return all;
}

#define FROND_INSTANTIATE(T) \
    template std::vector<SecondPassPositions> own_second_pass_positions<T>(const TreeFactors<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
