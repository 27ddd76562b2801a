// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/whole_matrix.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/large_vector.hpp"
#include "ranks/collectively.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
namespace {

/// visit(row of the block, entry) of those that the canonical form has.
template <class Visit>
void for_canonical(const BlockPattern& a, Visit visit) {
    for (index_t i = 0; i < a.rows(); ++i)
        for (count_t e = a.begin[static_cast<std::size_t>(i)]; e < a.begin[static_cast<std::size_t>(i) + 1]; ++e)
            if (a.symmetry == Symmetry::general || a.column[static_cast<std::size_t>(e)] <= a.first() + i) visit(i, e);
}

}  // namespace

count_t canonical_entries(Communicator& ranks, const BlockPattern& pattern) {
    std::vector<count_t> entries{0};
    for_canonical(pattern, [&](index_t, count_t) { ++entries[0]; });
    ranks.all_reduce_sum(entries);
    return entries[0];
}

template <class T>
count_t whole_matrix_bytes(Communicator& ranks, const BlockPattern& pattern) {
    const count_t entries = canonical_entries(ranks, pattern);
    constexpr auto of_index = static_cast<count_t>(sizeof(index_t)), of_place = static_cast<count_t>(sizeof(count_t));
    constexpr count_t each = static_cast<count_t>(sizeof(T)) + of_index;
    constexpr count_t sorted_places = (of_place + 2 * of_index) + (of_place + of_index);  // on their way, and then
    constexpr count_t sorting = std::max(each + of_index, sorted_places);
    return entries * (2 * each + sorting) + 3 * pattern.cuts.order() * of_place;
}

template <class T>
std::vector<T> gather_values(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value) {
    std::vector<T> mine;
    collectively(ranks, [&] {
        mine.reserve(value.size());
        ask_for_huge_pages(mine.data(), value.size() * sizeof(T));
        for_canonical(pattern, [&](index_t, count_t e) { mine.push_back(value[static_cast<std::size_t>(e)]); });
    });
    return at_rank_0(ranks, mine);
}

template <class T>
WholeMatrix<T> gather_matrix(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value) {
    std::vector<index_t> sizes, columns;
    collectively(ranks, [&] {
        sizes.assign(static_cast<std::size_t>(pattern.rows()), 0);
        for_canonical(pattern, [&](index_t i, count_t e) {
            ++sizes[static_cast<std::size_t>(i)];
            columns.push_back(pattern.column[static_cast<std::size_t>(e)]);
        });
    });
    const std::vector<index_t> all_sizes = at_rank_0(ranks, sizes);
    WholeMatrix<T> whole;
    whole.column = at_rank_0(ranks, columns);
    whole.value = gather_values(ranks, pattern, value);
    collectively(ranks, [&] {
        whole.begin.assign(1, 0);
        for (const index_t size : all_sizes) whole.begin.push_back(whole.begin.back() + size);
    });
    return whole;
}

#define FROND_INSTANTIATE(T)                                                                             \
    template count_t whole_matrix_bytes<T>(Communicator&, const BlockPattern&);                          \
    template WholeMatrix<T> gather_matrix<T>(Communicator&, const BlockPattern&, const LargeVector<T>&); \
    template std::vector<T> gather_values<T>(Communicator&, const BlockPattern&, const LargeVector<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
