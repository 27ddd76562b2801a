// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/exchange_columns.hpp"

#include <numeric>

#include "frond/analysis/distributed_steps.hpp"
#include "ranks/parcels.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {
namespace {

/// An entry of a column, at a row that is past the columns of its front.
using Edge = BlockEntry;

/// visit(rank, edge) of the rows of this rank; rank -1: for all.
template <class Visit>
void for_each_edge(const RowCuts& cuts, index_t rank, const GraphPart& graph, const std::vector<index_t>& position,
                   const SubtreesOfRanks& dealt, const AssemblyTree& tree, const Visit& visit) {
    const std::vector<index_t> front_of = front_of_columns(tree), subtree_of = subtree_of_fronts(tree, dealt.subtree);
    for (index_t v = 0; v < cuts.rows(rank); ++v) {
        const index_t k = position[at(cuts.begin(rank) + v)], f = front_of[at(k)], s = subtree_of[at(f)];
        const index_t to = s < 0 ? -1 : dealt.rank[at(s)],
                      end = tree.fronts[at(f)].first_column + tree.fronts[at(f)].npiv;
        for (count_t e = graph.begin[at(v)]; e < graph.begin[at(v) + 1]; ++e)
            if (const index_t q = position[at(graph.neighbour[at(e)])]; q >= end) visit(to, Edge{k, q});
    }
}

Pattern columns_of_edges(const std::vector<Edge>& own, const std::vector<Edge>& of_all, index_t order) {
    Pattern columns;
    columns.rows = columns.cols = order;
    columns.begin.assign(at(order) + 1, 0);
    const auto for_both = [&](const auto& visit) {
        for (const Edge& e : own) visit(e);
        for (const Edge& e : of_all) visit(e);
    };
    for_both([&](const Edge& e) { ++columns.begin[at(e.row) + 1]; });
    std::partial_sum(columns.begin.begin(), columns.begin.end(), columns.begin.begin());
    columns.row.resize(at(columns.begin.back()));
    std::vector<count_t> next(columns.begin.begin(), columns.begin.end() - 1);
    for_both([&](const Edge& e) { columns.row[at(next[at(e.row)]++)] = e.column; });
    return columns;
}

}  // namespace

Pattern exchanged_columns(Communicator& ranks, const RowCuts& cuts, const GraphPart& graph,
                          const std::vector<index_t>& position, const SubtreesOfRanks& dealt,
                          const AssemblyTree& tree) {
    Parcels<Edge> out;
    std::vector<Edge> mine_of_tiles;
    collectively(ranks, [&] {
        const auto for_edges = [&](const auto& visit) {
            for_each_edge(cuts, ranks.rank(), graph, position, dealt, tree, visit);
        };
        std::vector<count_t> sizes(at(ranks.size()), 0);
        for_edges([&](index_t to, const Edge&) {
            if (to >= 0) ++sizes[at(to)];
        });
        out.begin = begin_of_sizes(sizes);
        out.data.resize(at(out.begin.back()));
        std::vector<count_t> next(out.begin.begin(), out.begin.end() - 1);
        for_edges([&](index_t to, const Edge& e) {
            if (to >= 0)
                out.data[at(next[at(to)]++)] = e;
            else
                mine_of_tiles.push_back(e);
        });
    });
    const Parcels<Edge> own = exchanged(ranks, out);
    const std::vector<Edge> of_tiles = at_all_ranks(ranks, mine_of_tiles);
    Pattern columns;
    collectively(ranks, [&] { columns = columns_of_edges(own.data, of_tiles, tree.order); });
    return columns;
}

}  // namespace frond::detail
