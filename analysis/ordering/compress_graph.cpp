// SPDX-License-Identifier: BSD-3-Clause
// Compression of a graph before ordering (Ashcraft 1995, "Compressed graphs and the minimum degree
// algorithm", section 2).
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace frond {
namespace {

/// Groups as a map vertex -> group, numbered in the order of their least members.
struct Grouping {
    std::vector<index_t> group_of;
    index_t groups = 0;
};

/// A well mixed 64-bit image of a vertex number (Steele, Lea & Flood 2014, SplitMix64), so that the
/// sum over a closed neighbourhood identifies it but for a vanishing chance.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// hash[v] = sum of mix(u) over adj(v) and v itself.
std::vector<std::uint64_t> hash_neighbourhoods(const Pattern& graph) {
    std::vector<std::uint64_t> hash(static_cast<std::size_t>(graph.cols));
    for (index_t v = 0; v < graph.cols; ++v) {
        std::uint64_t sum = mix(static_cast<std::uint64_t>(v));
        for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p)
            sum += mix(static_cast<std::uint64_t>(graph.row[p]));
        hash[v] = sum;
    }
    return hash;
}

count_t degree(const Pattern& graph, index_t v) { return graph.begin[v + 1] - graph.begin[v]; }

/// Is adj(v) and v = adj(u) and u? mark holds `stamp` on adj(u) and u; degrees are equal.
bool same_closed_neighbourhood(const Pattern& graph, index_t v, const std::vector<index_t>& mark, index_t stamp) {
    for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p)
        if (mark[graph.row[p]] != stamp) return false;
    return mark[v] == stamp;
}

/// Indistinguishable vertices are adjacent, so a vertex looks for its like among its neighbours.
Grouping group_indistinguishable(const Pattern& graph) {
    const auto hash = hash_neighbourhoods(graph);
    Grouping result;
    result.group_of.assign(static_cast<std::size_t>(graph.cols), -1);
    std::vector<index_t> mark;
    for (index_t v = 0; v < graph.cols; ++v) {
        if (result.group_of[v] >= 0) continue;
        const index_t group = result.groups++;
        result.group_of[v] = group;
        bool marked = false;
        for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p) {
            const index_t u = graph.row[p];
            if (u < v || hash[u] != hash[v] || result.group_of[u] >= 0) continue;
            if (degree(graph, u) != degree(graph, v)) continue;
            if (!marked) {
                mark.resize(static_cast<std::size_t>(graph.cols), -1);
                for (count_t q = graph.begin[v]; q < graph.begin[v + 1]; ++q) mark[graph.row[q]] = v;
                mark[v] = v;
                marked = true;
            }
            if (same_closed_neighbourhood(graph, u, mark, v)) result.group_of[u] = group;
        }
    }
    return result;
}

Grouping group_pairs(index_t n, const std::vector<index_t>& partner) {
    Grouping result;
    result.group_of.assign(static_cast<std::size_t>(n), -1);
    for (index_t v = 0; v < n; ++v) {
        if (result.group_of[v] >= 0) continue;
        const index_t u = partner[v];
        FROND_EXPECTS(u >= 0 && u < n && partner[u] == v, "partner[" + std::to_string(v) + "] = " + std::to_string(u) +
                                                              " is not mutual; pass an involution of 0 .. n-1");
        result.group_of[v] = result.group_of[u] = result.groups++;
    }
    return result;
}

/// Members of each group ascend, except that a vertex is followed by its partner.
void list_members(const Grouping& grouping, const std::vector<index_t>& partner, CompressedGraph& out) {
    const auto groups = static_cast<std::size_t>(grouping.groups);
    out.member_begin.assign(groups + 1, 0);
    for (const index_t g : grouping.group_of) ++out.member_begin[g + 1];
    for (std::size_t g = 0; g < groups; ++g) out.member_begin[g + 1] += out.member_begin[g];
    out.weight.resize(groups);
    for (std::size_t g = 0; g < groups; ++g)
        out.weight[g] = static_cast<index_t>(out.member_begin[g + 1] - out.member_begin[g]);
    out.member.resize(grouping.group_of.size());
    std::vector<count_t> next(out.member_begin.begin(), out.member_begin.end() - 1);
    for (std::size_t v = 0; v < grouping.group_of.size(); ++v) {
        const std::size_t other = partner.empty() ? v : static_cast<std::size_t>(partner[v]);
        if (other < v) continue;
        count_t& place = next[grouping.group_of[v]];
        out.member[place++] = static_cast<index_t>(v);
        if (other > v) out.member[place++] = static_cast<index_t>(other);
    }
}

/// Pattern with the rows of every column sorted: two transpositions, linear time.
Pattern sorted_rows(const Pattern& symmetric) {
    Pattern result;
    result.rows = result.cols = symmetric.cols;
    result.begin = symmetric.begin;
    result.row.resize(symmetric.row.size());
    std::vector<count_t> next(symmetric.begin.begin(), symmetric.begin.end() - 1);
    for (index_t v = 0; v < symmetric.cols; ++v)
        for (count_t p = symmetric.begin[v]; p < symmetric.begin[v + 1]; ++p) result.row[next[symmetric.row[p]]++] = v;
    return result;
}

/// Edge between two groups where any of their members has one. With `representative`, all members
/// of a group have the same neighbours and the first one speaks for them.
Pattern quotient_graph(const Pattern& graph, const Grouping& grouping, const CompressedGraph& lists,
                       bool representative) {
    Pattern result;
    result.rows = result.cols = grouping.groups;
    result.begin.assign(static_cast<std::size_t>(grouping.groups) + 1, 0);
    std::vector<index_t> seen(static_cast<std::size_t>(grouping.groups), -1);
    for (index_t g = 0; g < grouping.groups; ++g) {
        seen[g] = g;
        const count_t first = lists.member_begin[g];
        const count_t last = representative ? first + 1 : lists.member_begin[g + 1];
        for (count_t m = first; m < last; ++m) {
            const index_t v = lists.member[m];
            for (count_t p = graph.begin[v]; p < graph.begin[v + 1]; ++p) {
                const index_t h = grouping.group_of[graph.row[p]];
                if (seen[h] == g) continue;
                seen[h] = g;
                result.row.push_back(h);
            }
        }
        result.begin[g + 1] = static_cast<count_t>(result.row.size());
    }
    return sorted_rows(result);
}

bool has_pairs(const std::vector<index_t>& partner) {
    for (std::size_t v = 0; v < partner.size(); ++v)
        if (partner[v] != static_cast<index_t>(v)) return true;
    return false;
}

CompressedGraph identity(const Pattern& graph) {
    CompressedGraph result;
    const auto n = static_cast<std::size_t>(graph.cols);
    result.graph = graph;
    result.weight.assign(n, 1);
    result.member_begin.resize(n + 1);
    result.member.resize(n);
    for (std::size_t v = 0; v <= n; ++v) result.member_begin[v] = static_cast<count_t>(v);
    for (std::size_t v = 0; v < n; ++v) result.member[v] = static_cast<index_t>(v);
    return result;
}

}  // namespace

CompressedGraph compress_graph(const Pattern& graph, const std::vector<index_t>& partner) {
    FROND_EXPECTS(partner.empty() || partner.size() == static_cast<std::size_t>(graph.cols),
                  "partner has " + std::to_string(partner.size()) + " entries, the graph " +
                      std::to_string(graph.cols) + " vertices");
    CompressedGraph result;
    Grouping grouping;
    if (has_pairs(partner)) {
        grouping = group_pairs(graph.cols, partner);
        list_members(grouping, partner, result);
        result.graph = quotient_graph(graph, grouping, result, false);
    }
    const bool paired = grouping.groups > 0;
    const Pattern& first = paired ? result.graph : graph;
    const Grouping same = group_indistinguishable(first);
    if (same.groups == first.cols) return paired ? std::move(result) : identity(graph);

    CompressedGraph outer;
    list_members(same, {}, outer);
    Pattern quotient = quotient_graph(first, same, outer, true);
    if (paired) {
        for (index_t& g : grouping.group_of) g = same.group_of[g];
        grouping.groups = same.groups;
        list_members(grouping, partner, result);
    } else {
        result = std::move(outer);
    }
    result.graph = std::move(quotient);
    return result;
}

}  // namespace frond
