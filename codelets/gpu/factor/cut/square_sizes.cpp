// SPDX-License-Identifier: BSD-3-Clause
#include "factor/cut/square_sizes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "frond/base/vector_index.hpp"
#include "plans/subtree_plan.hpp"

namespace frond::gpu {
namespace {

/// Scalars of the levels of a subtree, the deepest first, and the most that every other level takes.
struct LevelScalars {
    std::vector<count_t> of_level;
    std::array<count_t, 2> most{0, 0};

    void add(std::size_t level, count_t scalars) {
        of_level[level] += scalars;
        most[level % 2] = std::max(most[level % 2], of_level[level]);
    }
};

}  // namespace

count_t square_scalars(const Front& front) {
    return round_up_8(static_cast<count_t>(front.nfront) * square_ld(front.nfront));
}

std::vector<count_t> scalars_of_subtrees(const AssemblyTree& tree) {
    std::vector<LevelScalars> of(tree.fronts.size());
    std::vector<count_t> scalars(tree.fronts.size());
    for (index_t f = 0; f < tree.front_count(); ++f) {
        LevelScalars& own = of[at(f)];
        for (count_t c = tree.child_begin[at(f)]; c < tree.child_begin[at(f) + 1]; ++c) {
            LevelScalars child = std::move(of[at(tree.children[at(c)])]);
            if (child.of_level.size() > own.of_level.size()) std::swap(own, child);
            const std::size_t deeper = own.of_level.size() - child.of_level.size();
            for (std::size_t l = 0; l < child.of_level.size(); ++l) own.add(deeper + l, child.of_level[l]);
        }
        own.of_level.push_back(0);
        own.add(own.of_level.size() - 1, square_scalars(tree.fronts[at(f)]));
        scalars[at(f)] = own.most[0] + own.most[1];
    }
    return scalars;
}

/// Half of the room, so that strips are not narrow; up to where tiles end.
index_t columns_at_once(index_t npiv, index_t nfront, count_t most_scalars) {
    constexpr index_t narrow_strip = 64, tile = 512;
    Front front;
    front.npiv = npiv;
    front.nfront = nfront;
    const bool by_strips =
        front.ncb() > 0 && scalars_by_strips(front, std::min(narrow_strip, front.ncb())) <= most_scalars;
    if (square_scalars(front) <= most_scalars || by_strips) return npiv;
    const auto columns = static_cast<index_t>(std::min<count_t>(most_scalars / 2 / square_ld(nfront), npiv));
    const index_t whole = columns >= tile ? columns / tile * tile : columns;
    return whole > 0 ? whole : npiv;
}

}  // namespace frond::gpu
