// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/diagonal_of_rows.hpp"

#include <span>
#include <utility>
#include <vector>

#include "frond/analysis/dense_steps.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks/parcels.hpp"
#include "system/rows/block_facts.hpp"

namespace frond::detail {
namespace {

/// Makes the pattern of the diagonal, with any values.
template <class T>
void make_diagonal(const BlockPattern& a, SparseMatrix<T>& d) {
    const std::size_t n = at(a.cuts.order());
    if (d.symmetry == a.symmetry && d.value.size() == n && d.pattern.begin.size() == n + 1) return;
    std::vector<T> values;
    resize_in_huge_pages(values, n);
    d = canonical_diagonal(std::move(values), a.symmetry);
}

/// The exponents of all ranks together.
ExponentRange joined(Communicator& ranks, const ExponentRange& mine) {
    count_t ends[] = {-mine.least, mine.most};
    ranks.all_reduce_max(ends);
    return {static_cast<int>(-ends[0]), static_cast<int>(ends[1])};
}

/// mine: of this rank's rows; all [n]: on rank 0, which has its own part there.
template <class T>
void send_to_rank_0(Communicator& ranks, const RowCuts& cuts, std::span<const T> mine, std::span<T> all) {
    const index_t rank = ranks.rank(), first = cuts.end(0);
    std::vector<count_t> out_begin(at(ranks.size()) + 1, rank > 0 ? cuts.rows(rank) : 0);
    out_begin[0] = 0;
    std::vector<count_t> in_begin(out_begin.size(), 0);
    for (index_t r = 1; r < ranks.size() && rank == 0; ++r) in_begin[at(r) + 1] = cuts.end(r) - first;
    exchange_parcels<T>(ranks, mine, out_begin, rank == 0 ? all.subspan(at(first)) : all, in_begin);
}

}  // namespace

template <class T>
DiagonalOfRows<T> diagonal_of_rows(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                                   DiagonalMemory<T>& memory, const ParallelFor& parallel_for) {
    std::shared_ptr<SparseMatrix<T>> d;
    std::span<T> all, mine;
    DiagonalOfRows<T> result;
    collectively(ranks, [&] {
        if (ranks.rank() == 0) {
            d = memory.matrix.take();
            make_diagonal(pattern, *d);
            all = d->value;
            mine = all.first(at(pattern.rows()));
        } else {
            resize_in_huge_pages(memory.sent, at(pattern.rows()));
            mine = memory.sent;
        }
        fill_own_diagonal(pattern, value, mine, parallel_for);
        result.range = exponent_range<T>(mine, parallel_for);
    });
    result.range = joined(ranks, result.range);
    send_to_rank_0<T>(ranks, pattern.cuts, mine, all);
    result.matrix = std::move(d);
    return result;
}

#define FROND_INSTANTIATE(T)                                                                                  \
    template DiagonalOfRows<T> diagonal_of_rows<T>(Communicator&, const BlockPattern&, const LargeVector<T>&, \
                                                   DiagonalMemory<T>&, const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
