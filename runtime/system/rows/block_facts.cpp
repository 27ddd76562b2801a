// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/block_facts.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/not_finite_text.hpp"
#include "ranks/parcels.hpp"
#include "ranks/reduce_max.hpp"
#include "system/rows/for_chunks.hpp"
#include "system/rows/for_block_rows.hpp"

namespace frond::detail {
namespace {

/// The first of some entries in the canonical order, which goes by columns.
struct FirstEntry {
    static constexpr count_t none = std::numeric_limits<count_t>::max();
    count_t number = none, entry = none;  // of A as a dense matrix; in the block
    index_t row = 0, column = 0;

    void see(count_t order, count_t e, index_t i, index_t j) {
        const count_t seen = j * order + i;
        if (seen < number) *this = {seen, e, i, j};
    }
};

template <class T>
bool is_finite(T x) {
    return std::abs(x) <= std::numeric_limits<real_t<T>>::max();
}

template <class T>
bool are_finite(const LargeVector<T>& value, const ParallelFor& parallel_for) {
    std::atomic<bool> finite = true;
    for_chunks(static_cast<count_t>(value.size()), parallel_for, [&](count_t, count_t first, count_t end) {
        if (!std::all_of(value.begin() + first, value.begin() + end, is_finite<T>)) finite = false;
    });
    return finite;
}

/// The first of those entries that are not finite. An entry of the upper triangle, which the canonical form of the
/// symmetric kinds lacks, is never the first: it comes after the one that it mirrors.
template <class T>
FirstEntry first_not_finite(const BlockPattern& a, const LargeVector<T>& value, const ParallelFor& parallel_for) {
    FirstEntry first;
    if (are_finite(value, parallel_for)) return first;
    for_block_entries(a, [&](count_t e, index_t i, index_t j) {
        if (!is_finite(value[at(e)])) first.see(a.cuts.order(), e, i, j);
    });
    return first;
}

/// Whether it is so on any rank. Collective.
bool on_any_rank(Communicator& ranks, bool here) {
    count_t value[] = {here ? 1 : 0};
    ranks.all_reduce_max(value);
    return value[0] != 0;
}

}  // namespace

template <class T>
void fill_own_diagonal(const BlockPattern& a, const LargeVector<T>& value, std::span<T> diagonal,
                       const ParallelFor& parallel_for) {
    for_block_rows(a.rows(), parallel_for, [&](index_t i) {
        const auto end = a.column.begin() + a.begin[at(i) + 1];
        const auto e = std::lower_bound(a.column.begin() + a.begin[at(i)], end, a.first() + i);
        const bool is_there = e != end && *e == a.first() + i;
        const T d = is_there ? value[at(e - a.column.begin())] : T(0);
        diagonal[at(i)] = a.symmetry == Symmetry::hermitian ? T(real_part(d)) : d;
    });
}

template <class T>
void expect_finite_blocks(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                          const ParallelFor& parallel_for, bool is_known) {
    FirstEntry mine;
    collectively(ranks, [&] {
        if (!is_known) mine = first_not_finite(pattern, value, parallel_for);
    });
    count_t last_first[] = {-mine.number};
    ranks.all_reduce_max(last_first);
    if (last_first[0] == -FirstEntry::none) return;
    const auto fail = [&] {
        if (mine.number == -last_first[0])
            throw InvalidMatrix(not_finite_text(mine.row, mine.column, value[at(mine.entry)]));
    };
    collectively(ranks, fail, NameRank::no);
}

template <class T>
Definiteness definiteness_of_blocks(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value) {
    std::vector<double> root;  // of the diagonal of A
    collectively(ranks, [&] {
        root.assign(at(pattern.cuts.order()), 0.0);
        std::vector<T> mine(at(pattern.rows()));
        fill_own_diagonal<T>(pattern, value, mine);
        std::transform(mine.begin(), mine.end(), root.begin() + pattern.first(), root_of_diagonal<T>);
    });
    reduce_max(ranks, root);
    if (std::find(root.begin(), root.end(), 0.0) != root.end()) return {};
    bool fails = false;
    for_block_entries(pattern, [&](count_t e, index_t i, index_t j) {
        fails = fails || (i != j && minor_fails(value[at(e)], root[at(i)], root[at(j)]));
    });
    return {true, !on_any_rank(ranks, fails)};
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template void fill_own_diagonal<T>(const BlockPattern&, const LargeVector<T>&, std::span<T>, const ParallelFor&); \
    template void expect_finite_blocks<T>(Communicator&, const BlockPattern&, const LargeVector<T>&,                  \
                                          const ParallelFor&, bool);                                                  \
    template Definiteness definiteness_of_blocks<T>(Communicator&, const BlockPattern&, const LargeVector<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
