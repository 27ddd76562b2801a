// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/transposed_rows.hpp"

#include "frond/base/instantiate.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
namespace {

/// The pattern of A^T, and the way of a list of values to it.
struct Transposition {
    std::shared_ptr<const BlockPattern> pattern;
    std::vector<count_t> out_begin, in_begin;  // of the parcels to and from each rank
    std::vector<count_t> place;  // in the pattern, of each entry that comes
};

/// visit(place in the parcels, entry, row, column, rank that gets it) of all entries, row by row.
template <class Visit>
void for_sent_entries(const BlockPattern& a, const std::vector<count_t>& out_begin, const Visit& visit) {
    std::vector<count_t> next(out_begin.begin(), out_begin.end() - 1);
    for_block_entries(a, [&](count_t e, index_t i, index_t j) {
        const index_t to = a.cuts.owner(j);
        visit(at(next[at(to)]++), e, i, j, to);
    });
}

Transposition transpose_pattern(Communicator& ranks, const BlockPattern& a) {
    Parcels<BlockEntry> out;
    collectively(ranks, [&] {
        std::vector<count_t> sizes(at(ranks.size()), 0);
        for (const index_t j : a.column) ++sizes[at(a.cuts.owner(j))];
        out.begin = begin_of_sizes(sizes);
        out.data.resize(a.column.size());
        for_sent_entries(a, out.begin, [&](std::size_t place, count_t, index_t i, index_t j, index_t to) {
            out.data[place] = {j - a.cuts.begin(to), i};
        });
    });
    Parcels<BlockEntry> in = exchanged(ranks, out);
    Transposition result;
    collectively(ranks, [&] {
        auto transposed = std::make_shared<BlockPattern>(a);
        result.place = sort_entries(in.data, *transposed);
        result.pattern = std::move(transposed);
        result.out_begin = std::move(out.begin);
        result.in_begin = std::move(in.begin);
    });
    return result;
}

}  // namespace

template <class T>
BlockRows<T> transposed_rows(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value) {
    const Transposition to = transpose_pattern(ranks, pattern);
    LargeVector<T> out, in;
    collectively(ranks, [&] {
        out.resize(pattern.column.size());
        in.resize(to.place.size());
        for_sent_entries(pattern, to.out_begin,
                         [&](std::size_t place, count_t e, index_t, index_t, index_t) { out[place] = value[at(e)]; });
    });
    exchange_parcels<T>(ranks, out, to.out_begin, in, to.in_begin);
    BlockRows<T> result{to.pattern, nullptr};
    collectively(ranks, [&] {
        LargeVector<T> placed(in.size());
        for (std::size_t k = 0; k < in.size(); ++k) placed[at(to.place[k])] = in[k];
        result.value = std::make_shared<const LargeVector<T>>(std::move(placed));
    });
    return result;
}

std::shared_ptr<const BlockPattern> transposed_pattern(Communicator& ranks, const BlockPattern& pattern) {
    return transpose_pattern(ranks, pattern).pattern;
}

#define FROND_INSTANTIATE(T) \
    template BlockRows<T> transposed_rows<T>(Communicator&, const BlockPattern&, const LargeVector<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
