// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/dealt/ordering_by_ranks.hpp"

#include <span>

#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/dealt/graph_cuts.hpp"
#include "ranks/collectively.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
namespace {

/// A graph on rank 0, empty elsewhere, with the vertices of each rank.
struct GraphToDeal {
    const Pattern& graph;
    std::span<const index_t> weight;
    std::vector<count_t> cut, entry_cut;  // [ranks + 1]
};

GraphToDeal nothing_to_deal(const Pattern& no_graph, index_t ranks) {
    const std::vector<count_t> zeros(at(ranks) + 1, 0);
    return {no_graph, {}, zeros, zeros};
}

GraphPart dealt_part(Communicator& ranks, const GraphToDeal& whole) {
    const std::span<const count_t> begin(whole.graph.begin);
    GraphPart part;
    part.begin = from_rank_0<count_t>(ranks, begin.first(begin.empty() ? 0 : begin.size() - 1), whole.cut);
    part.neighbour = from_rank_0<index_t>(ranks, whole.graph.row, whole.entry_cut);
    part.weight = from_rank_0<index_t>(ranks, whole.weight, whole.cut);
    collectively(ranks, [&] {
        const count_t first = part.begin.empty() ? 0 : part.begin.front();
        for (count_t& b : part.begin) b -= first;
        part.begin.push_back(static_cast<count_t>(part.neighbour.size()));
    });
    return part;
}

/// When each vertex is eliminated, on rank 0.
std::vector<index_t> positions_by_all(Communicator& ranks, const GraphToDeal& whole) {
    std::vector<index_t> mine;
    {
        const GraphPart part = dealt_part(ranks, whole);
        // Ranks without vertices do not know whether the others succeed.
        collectively(ranks, [&] { mine = ranks.order_graph(part); });
    }
    return at_rank_0(ranks, mine);
}

}  // namespace

std::vector<index_t> order_of_positions(const std::vector<index_t>& position) {
    std::vector<index_t> order(position.size(), -1);
    for (std::size_t v = 0; v < position.size(); ++v) {
        const auto k = static_cast<std::size_t>(position[v]);
        if (position[v] < 0 || k >= order.size() || order[k] >= 0)
            throw RuntimeError("PT-Scotch gave no permutation for " + std::to_string(order.size()) +
                               " vertices; choose another ordering");
        order[k] = static_cast<index_t>(v);
    }
    return order;
}

void OrderingByRanks::expect_available() const {
    if (team_.ranks().orders_graphs()) return;
    throw InvalidArgument(
        "the ordering `ptscotch` is not there: libfrond_mpi was built without PT-Scotch; build Frond anew where its "
        "static "
        "libraries are (Debian: libptscotch-dev), or take `nested_dissection` or `scotch`");
}

std::vector<index_t> OrderingByRanks::order(const Pattern& graph, const std::vector<index_t>& weight) {
    GraphToDeal whole{graph, weight, cuts_of_graph(graph, team_.ranks().size()), {}};
    for (const count_t v : whole.cut) whole.entry_cut.push_back(graph.begin[at(v)]);
    team_.command(Command::order, {});
    return order_of_positions(positions_by_all(team_.ranks(), whole));
}

void serve_ordering(Communicator& ranks) {
    const Pattern no_graph;
    positions_by_all(ranks, nothing_to_deal(no_graph, ranks.size()));
}

}  // namespace frond::detail
