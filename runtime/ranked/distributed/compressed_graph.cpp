// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/compressed_graph.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "frond/base/vector_index.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
namespace {

std::span<const index_t> neighbours_of(const GraphPart& graph, index_t v) {
    return std::span(graph.neighbour).subspan(at(graph.begin[at(v)]), at(graph.begin[at(v) + 1] - graph.begin[at(v)]));
}

/// The sum is the same for vertices that have the same neighbours, themselves included.
std::uint64_t sum_of_closed(const GraphPart& graph, index_t v, index_t number) {
    std::uint64_t sum = 0;
    const auto add = [&sum](index_t u) {
        std::uint64_t x = static_cast<std::uint64_t>(u) + 0x9e3779b97f4a7c15ULL;  // the mixing of SplitMix64
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        sum += x ^ (x >> 31);
    };
    add(number);
    for (const index_t u : neighbours_of(graph, v)) add(u);
    return sum;
}

/// Both lists without the other vertex.
bool are_alike(const GraphPart& graph, index_t first, index_t v, index_t w) {
    const std::span<const index_t> of_v = neighbours_of(graph, v), of_w = neighbours_of(graph, w);
    if (of_v.size() != of_w.size() || !std::binary_search(of_v.begin(), of_v.end(), first + w)) return false;
    auto a = of_v.begin(), b = of_w.begin();
    for (; a != of_v.end() || b != of_w.end(); ++a, ++b) {
        if (a != of_v.end() && *a == first + w) ++a;
        if (b != of_w.end() && *b == first + v) ++b;
        if (a == of_v.end() || b == of_w.end()) return a == of_v.end() && b == of_w.end();
        if (*a != *b) return false;
    }
    return true;
}

/// The group of each own vertex, numbered from 0 in the order of their first members; their number.
std::pair<std::vector<index_t>, index_t> own_groups(const GraphPart& graph, index_t first) {
    const auto vertices = static_cast<index_t>(graph.weight.size());
    std::vector<std::uint64_t> key(at(vertices));
    for (index_t v = 0; v < vertices; ++v) key[at(v)] = sum_of_closed(graph, v, first + v);
    std::vector<index_t> by_key(at(vertices));
    std::iota(by_key.begin(), by_key.end(), 0);
    std::sort(by_key.begin(), by_key.end(),
              [&](index_t v, index_t w) { return std::tie(key[at(v)], v) < std::tie(key[at(w)], w); });
    std::vector<index_t> leader(at(vertices));
    for (std::size_t k = 0; k < by_key.size(); ++k) {
        const index_t v = by_key[k], before = k > 0 ? leader[at(by_key[k - 1])] : -1;
        const bool joins = before >= 0 && key[at(before)] == key[at(v)] && are_alike(graph, first, before, v);
        leader[at(v)] = joins ? before : v;
    }
    std::vector<index_t> group(at(vertices), -1);
    index_t groups = 0;
    for (index_t v = 0; v < vertices; ++v) group[at(v)] = leader[at(v)] == v ? groups++ : group[at(leader[at(v)])];
    return {std::move(group), groups};
}

/// The rows of the first members, by groups.
GraphPart graph_of_groups(const GraphPart& graph, const std::vector<index_t>& own, index_t groups, index_t first_group,
                          const std::vector<index_t>& group_of) {
    GraphPart compressed;
    compressed.begin.push_back(0);
    compressed.weight.assign(at(groups), 0);
    for (std::size_t v = 0; v < own.size(); ++v) {
        if (compressed.weight[at(own[v])]++ > 0) continue;
        const auto begin = static_cast<std::ptrdiff_t>(compressed.neighbour.size());
        for (const index_t u : neighbours_of(graph, static_cast<index_t>(v)))
            if (group_of[at(u)] != first_group + own[v]) compressed.neighbour.push_back(group_of[at(u)]);
        std::sort(compressed.neighbour.begin() + begin, compressed.neighbour.end());
        compressed.neighbour.erase(std::unique(compressed.neighbour.begin() + begin, compressed.neighbour.end()),
                                   compressed.neighbour.end());
        compressed.begin.push_back(static_cast<count_t>(compressed.neighbour.size()));
    }
    return compressed;
}

}  // namespace

CompressedRows compressed_rows(Communicator& ranks, const RowCuts& cuts, const GraphPart& graph) {
    std::vector<index_t> own;
    std::vector<count_t> first_group(at(ranks.size()) + 1, 0);
    collectively(ranks, [&] {
        std::tie(own, std::ignore) = own_groups(graph, cuts.begin(ranks.rank()));
        first_group[at(ranks.rank()) + 1] = own.empty() ? 0 : *std::max_element(own.begin(), own.end()) + 1;
    });
    ranks.all_reduce_sum(first_group);
    std::partial_sum(first_group.begin(), first_group.end(), first_group.begin());
    CompressedRows rows;
    rows.groups = static_cast<index_t>(first_group.back());
    const auto mine = static_cast<index_t>(first_group[at(ranks.rank())]),
               groups = static_cast<index_t>(first_group[at(ranks.rank()) + 1]) - mine;
    for (index_t& g : own) g += mine;
    rows.group_of = at_all_ranks(ranks, own);
    collectively(ranks, [&] {
        for (index_t& g : own) g -= mine;
        rows.graph = graph_of_groups(graph, own, groups, mine, rows.group_of);
    });
    return rows;
}

std::vector<index_t> positions_of_members(const CompressedRows& rows, const std::vector<index_t>& position_of_group) {
    std::vector<index_t> next(at(rows.groups) + 1, 0);
    for (const index_t g : rows.group_of) ++next[at(position_of_group[at(g)]) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<index_t> position;
    position.reserve(rows.group_of.size());
    for (const index_t g : rows.group_of) position.push_back(next[at(position_of_group[at(g)])]++);
    return position;
}

}  // namespace frond::detail
