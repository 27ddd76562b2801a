// SPDX-License-Identifier: BSD-3-Clause
#include "submit/branches/branch_pivots.hpp"

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/pivot_record.hpp"

namespace frond::detail {
namespace {

/// Pivots first .. end of the front, in numbers of the front; `from`: where its columns begin in `found`.
template <class T>
typename RemotePivots<T>::Block block_of(Factorization kind, const PivotsOfTree<T>& found, index_t from,
                                         index_t first_column, index_t first, index_t end) {
    typename RemotePivots<T>::Block block;
    block.first_column = first_column + first;
    const auto count = at(end - first);
    if (has_block_diagonal(kind)) {
        const T* const pivots = found.pivots + 2 * static_cast<count_t>(from + first);
        block.pivots.assign(pivots, pivots + 2 * count);
        block.diagonal.assign(count, T(1));
    } else {
        block.diagonal.assign(found.pivots + from + first, found.pivots + from + end);
    }
    if (found.perm == nullptr) return block;
    block.perm.assign(found.perm + from + first, found.perm + from + end);
    for (index_t& row : block.perm) row -= first;
    return block;
}

}  // namespace

template <class T>
std::map<index_t, typename RemotePivots<T>::Unit> pivots_of_branches(const Analysis& whole, const Branches& branches,
                                                                     const PivotsOfTree<T>& found) {
    const Mapping& mapping = whole.mapping;
    std::map<index_t, typename RemotePivots<T>::Unit> units;
    for (std::size_t k = 0; k < branches.front.size(); ++k) {
        const index_t f = branches.front[k], from = branches.forest->tree.fronts[k].first_column;
        const Front& front = whole.tree.fronts[at(f)];
        const index_t s = mapping.subtree_of_front[at(f)];
        auto& unit = units[s < 0 ? f : mapping.subtrees[at(s)].root_front];
        const auto add = [&](index_t first, index_t end) {
            unit.blocks.push_back(block_of<T>(whole.factorization, found, from, front.first_column, first, end));
        };
        const bool goes_on = s >= 0 && found.perm == nullptr && !unit.blocks.empty();
        if (goes_on) {  // its columns follow those of the fronts before, and nothing is numbered by fronts
            const T* const diagonal = found.pivots + from;
            unit.blocks.front().diagonal.insert(unit.blocks.front().diagonal.end(), diagonal, diagonal + front.npiv);
            continue;
        }
        if (s >= 0) {
            add(0, front.npiv);
            continue;
        }
        const TileGrid& grid = mapping.grids[at(mapping.grid_of_front[at(f)])];
        for (index_t t = 0; t < grid.own_tiles; ++t) add(grid.cut[at(t)], grid.cut[at(t) + 1]);
    }
    return units;
}

#define FROND_INSTANTIATE(T)                                                                                           \
    template std::map<index_t, typename RemotePivots<T>::Unit> pivots_of_branches<T>(const Analysis&, const Branches&, \
                                                                                     const PivotsOfTree<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
