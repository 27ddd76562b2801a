// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/graph_of_rows.hpp"

#include "frond/base/vector_index.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
namespace {

/// visit(row of the block, column) of all entries that are not on the diagonal.
template <class Visit>
void for_neighbours(const BlockPattern& a, const Visit& visit) {
    for (index_t i = 0; i < a.rows(); ++i)
        for (count_t e = a.begin[at(i)]; e < a.begin[at(i) + 1]; ++e)
            if (a.column[at(e)] != a.first() + i) visit(i, a.column[at(e)]);
}

GraphPart without_diagonal(const BlockPattern& a) {
    GraphPart graph;
    graph.begin.reserve(at(a.rows()) + 1);
    graph.begin.push_back(0);
    graph.neighbour.reserve(a.column.size());
    for (index_t i = 0; i < a.rows(); ++i) {
        for (count_t e = a.begin[at(i)]; e < a.begin[at(i) + 1]; ++e)
            if (a.column[at(e)] != a.first() + i) graph.neighbour.push_back(a.column[at(e)]);
        graph.begin.push_back(static_cast<count_t>(graph.neighbour.size()));
    }
    graph.weight.assign(at(a.rows()), 1);
    return graph;
}

/// a_ij for the rank that has row j, as its entry (j, i).
Parcels<BlockEntry> mirrored_entries(const BlockPattern& a, index_t ranks) {
    std::vector<count_t> sizes(at(ranks), 0);
    for_neighbours(a, [&](index_t, index_t column) { ++sizes[at(a.cuts.owner(column))]; });
    Parcels<BlockEntry> out;
    out.begin = begin_of_sizes(sizes);
    out.data.resize(at(out.begin.back()));
    std::vector<count_t> next(out.begin.begin(), out.begin.end() - 1);
    for_neighbours(a, [&](index_t i, index_t column) {
        const index_t owner = a.cuts.owner(column);
        out.data[at(next[at(owner)]++)] = {column - a.cuts.begin(owner), a.first() + i};
    });
    return out;
}

}  // namespace

GraphPart graph_of_rows(Communicator& ranks, const BlockPattern& a) {
    GraphPart graph;
    if (a.symmetry != Symmetry::general) {
        collectively(ranks, [&] { graph = without_diagonal(a); });
        return graph;
    }
    Parcels<BlockEntry> out;
    collectively(ranks, [&] { out = mirrored_entries(a, ranks.size()); });
    Parcels<BlockEntry> in = exchanged(ranks, out);
    collectively(ranks, [&] {
        out = {};
        for_neighbours(a, [&](index_t i, index_t column) { in.data.push_back({i, column}); });
        BlockPattern both;
        both.cuts = a.cuts;
        both.rank = a.rank;
        static_cast<void>(sort_entries(in.data, both));
        graph = without_diagonal(both);
    });
    return graph;
}

}  // namespace frond::detail
