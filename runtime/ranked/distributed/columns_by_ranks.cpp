// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/columns_by_ranks.hpp"

#include <numeric>
#include <utility>

#include "frond/analysis/distributed_steps.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/dealt/ordering_by_ranks.hpp"
#include "ranked/distributed/compressed_graph.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
namespace {

/// The rows of this rank, by position.
Pattern own_rows(const RowCuts& cuts, index_t rank, const GraphPart& graph, const std::vector<index_t>& position) {
    std::vector<index_t> vertex(at(cuts.rows(rank)));
    std::iota(vertex.begin(), vertex.end(), cuts.begin(rank));
    return rows_by_position(vertex, graph.begin, graph.neighbour, position);
}

/// Trees of pairs of ranks become one until rank 0 has that of all.
std::vector<index_t> merged_on_rank_0(Communicator& ranks, std::vector<index_t> parent) {
    for (index_t step = 1; step < ranks.size(); step *= 2) {
        const index_t rank = ranks.rank();
        const bool sends = rank % (2 * step) == step, receives = rank % (2 * step) == 0 && rank + step < ranks.size();
        std::vector<count_t> out(at(ranks.size()), 0), in(at(ranks.size()), 0);
        if (sends) out[at(rank - step)] = static_cast<count_t>(parent.size());
        if (receives) in[at(rank + step)] = static_cast<count_t>(parent.size());
        std::vector<index_t> other;
        collectively(ranks, [&] { other.resize(receives ? parent.size() : 0); });
        exchange_parcels<index_t>(ranks, sends ? std::span<const index_t>(parent) : std::span<const index_t>(),
                                  begin_of_sizes(out), other, begin_of_sizes(in));
        collectively(ranks, [&] {
            if (receives) parent = merged_elimination_trees(parent, other);
        });
    }
    return parent;
}

/// The position of each vertex, on all ranks.
std::vector<index_t> nested_dissection(Communicator& ranks, const RowCuts& cuts, const GraphPart& graph,
                                       index_t& compressed_vertices) {
    const CompressedRows rows = compressed_rows(ranks, cuts, graph);
    compressed_vertices = rows.groups;
    std::vector<index_t> mine, position;
    // Ranks without vertices take no part in it, and learn here whether the others succeeded.
    collectively(ranks, [&] { mine = ranks.order_graph(rows.graph); });
    const std::vector<index_t> of_groups = at_all_ranks(ranks, mine);
    collectively(ranks, [&] {
        static_cast<void>(order_of_positions(of_groups));  // a permutation
        position = positions_of_members(rows, of_groups);
    });
    return position;
}

}  // namespace

CountedTree columns_by_ranks(Communicator& ranks, const RowCuts& cuts, const GraphPart& graph,
                             index_t& compressed_vertices) {
    std::vector<index_t> order, position = nested_dissection(ranks, cuts, graph, compressed_vertices), parent;
    Pattern rows;
    collectively(ranks, [&] {
        order = order_of_positions(position);
        rows = own_rows(cuts, ranks.rank(), graph, position);
        parent = elimination_tree_of_rows(rows);
    });
    parent = merged_on_rank_0(ranks, std::move(parent));
    ranks.broadcast(std::as_writable_bytes(std::span(parent)), 0);
    CountedTree columns;
    std::vector<count_t> delta;
    collectively(ranks, [&] {
        columns.tree = postordered(order, std::move(parent));
        rows = own_rows(cuts, ranks.rank(), graph, columns.tree.position);
        delta = deltas_of_rows(rows, columns.tree);
    });
    ranks.all_reduce_sum(delta);
    collectively(ranks, [&] { columns.count = counts_of_deltas(delta, columns.tree); });
    return columns;
}

}  // namespace frond::detail
