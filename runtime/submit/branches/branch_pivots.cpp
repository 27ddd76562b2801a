// SPDX-License-Identifier: BSD-3-Clause
#include "submit/branches/branch_pivots.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// Columns that follow each other, in the branches and in the list.
struct CopiedColumns {
    count_t from = 0, place = 0, count = 0;
};

/// The columns to copy, in parts for workers.
template <class T>
std::vector<CopiedColumns> copied_columns(const Analysis& whole, const Branches& branches,
                                          const ListedPivots<T>& listed) {
    constexpr count_t most = count_t{1} << 15;
    std::vector<CopiedColumns> parts;
    for (std::size_t k = 0; k < branches.front.size(); ++k) {
        const Front& front = whole.tree.fronts[at(branches.front[k])];
        if (front.npiv == 0) continue;
        const CopiedColumns next{branches.forest->tree.fronts[k].first_column, listed.places.place(front.first_column),
                                 front.npiv};
        CopiedColumns* const last = parts.empty() ? nullptr : &parts.back();
        if (last != nullptr && last->from + last->count == next.from && last->place + last->count == next.place &&
            last->count < most)
            last->count += next.count;
        else
            parts.push_back(next);
    }
    return parts;
}

/// Orders of fronts become those of their diagonal tiles.
template <class T>
void number_by_tiles(const Analysis& whole, const std::vector<index_t>& units, ListedPivots<T>& listed) {
    for (const index_t unit : units) {
        if (whole.mapping.subtree_of_front[at(unit)] >= 0) continue;
        const index_t begin = whole.tree.fronts[at(unit)].first_column;
        for_each_block_of_unit(whole, unit, [&](index_t first, index_t end) {
            index_t* const perm = listed.perm.data() + listed.places.place(first);
            for (index_t k = 0; k < end - first; ++k) perm[k] -= first - begin;
        });
    }
}

}  // namespace

std::vector<index_t> units_of_branches(const Analysis& whole, const Branches& branches) {
    std::vector<index_t> units;
    for (const index_t f : branches.front) {
        const index_t s = whole.mapping.subtree_of_front[at(f)];
        if (s < 0 || whole.mapping.subtrees[at(s)].root_front == f) units.push_back(f);
    }
    return units;
}

template <class T>
void list_pivots_of_branches(const Analysis& whole, const Branches& branches, const PivotsOfTree<T>& found,
                             ListedPivots<T>& listed, const ParallelFor& parallel_for) {
    const count_t width = ListedPivots<T>::width(whole.factorization);
    const std::vector<CopiedColumns> parts = copied_columns(whole, branches, listed);
    parallel_for(static_cast<count_t>(parts.size()), [&](count_t p) {
        const auto [from, place, count] = parts[at(p)];
        std::copy_n(found.pivots + width * from, width * count, listed.value.data() + width * place);
        if (found.perm != nullptr) std::copy_n(found.perm + from, count, listed.perm.data() + place);
    });
    if (found.perm != nullptr) number_by_tiles(whole, units_of_branches(whole, branches), listed);
}

#define FROND_INSTANTIATE(T)                                                                           \
    template void list_pivots_of_branches<T>(const Analysis&, const Branches&, const PivotsOfTree<T>&, \
                                             ListedPivots<T>&, const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
