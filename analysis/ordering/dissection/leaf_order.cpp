// SPDX-License-Identifier: BSD-3-Clause
#include "dissection_graph.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>

namespace frond::dissection {
namespace {

Part take_side(const Part& part, const Partition& partition, Side side, const std::vector<index_t>& local,
               index_t first, index_t size) {
    Part result;
    result.first = first;
    result.depth = part.depth + 1;
    result.number = 2 * part.number + (side == right ? 1 : 0);
    Graph& g = result.graph;
    g.total_weight = partition.weight[side];
    g.begin.reserve(static_cast<std::size_t>(size) + 1);
    g.weight.reserve(static_cast<std::size_t>(size));
    for (index_t v = 0; v < part.size(); ++v) {
        if (partition.side[v] != side) continue;
        for (count_t p = part.graph.begin[v]; p < part.graph.begin[v + 1]; ++p) {
            const index_t u = part.graph.row[p];
            if (partition.side[u] == side) g.row.push_back(local[u]);
        }
        g.begin.push_back(static_cast<count_t>(g.row.size()));
        g.weight.push_back(part.graph.weight[v]);
    }
    return result;
}

}  // namespace

SplitPart split(const Part& part, const Partition& partition, std::vector<index_t>& order,
                std::vector<index_t>& local) {
    std::array<index_t, 3> size = {0, 0, 0};
    if (local.size() < static_cast<std::size_t>(part.size())) local.resize(static_cast<std::size_t>(part.size()));
    for (index_t v = 0; v < part.size(); ++v) local[v] = size[partition.side[v]]++;
    const std::array<index_t, 3> start = {0, size[left], size[left] + size[right]};
    const std::vector<index_t> before(order.begin() + part.first, order.begin() + part.first + part.size());
    for (index_t v = 0; v < part.size(); ++v) order[part.first + start[partition.side[v]] + local[v]] = before[v];
    return {take_side(part, partition, left, local, part.first, size[left]),
            take_side(part, partition, right, local, part.first + size[left], size[right])};
}

namespace {

constexpr index_t eliminated = std::numeric_limits<index_t>::max();

}  // namespace

void LeafOrder::order(const Pattern& whole, index_t* part, index_t size) {
    number_locally(whole, part, size);
    degree_.assign(static_cast<std::size_t>(size), 0);
    for (index_t v = 0; v < size; ++v)
        degree_[v] = static_cast<index_t>(whole.begin[part[v] + 1] - whole.begin[part[v]]);
    result_.clear();
    for (index_t k = 0; k < size; ++k) {
        const auto least = std::min_element(degree_.begin(), degree_.end());
        const auto v = static_cast<index_t>(least - degree_.begin());
        result_.push_back(part[v]);
        eliminate(v, size);
    }
    std::copy(result_.begin(), result_.end(), part);
}

/// An empty table that is at most half full with so many vertices.
void LeafOrder::reserve_numbers(count_t vertices) {
    const auto size = std::bit_ceil(2 * static_cast<std::size_t>(vertices) + 1);
    numbered_.assign(size, {});
}

/// The entry that has, or will have, the local number of a vertex. Neighbours have close numbers and
/// share lines of the cache.
index_t& LeafOrder::number_of(index_t vertex) {
    const std::size_t last = numbered_.size() - 1;
    std::size_t at = static_cast<std::size_t>(vertex) & last;
    while (numbered_[at].vertex >= 0 && numbered_[at].vertex != vertex) at = (at + 1) & last;
    numbered_[at].vertex = vertex;
    return numbered_[at].local;
}

void LeafOrder::number_locally(const Pattern& whole, const index_t* part, index_t size) {
    global_.assign(part, part + size);
    count_t entries = 0;
    for (index_t v = 0; v < size; ++v) entries += whole.begin[part[v] + 1] - whole.begin[part[v]];
    reserve_numbers(std::min<count_t>(size + entries, whole.cols));
    for (index_t v = 0; v < size; ++v) number_of(part[v]) = v;
    for (index_t v = 0; v < size; ++v)
        for (count_t p = whole.begin[part[v]]; p < whole.begin[part[v] + 1]; ++p) {
            const index_t u = whole.row[p];
            index_t& local = number_of(u);
            if (local >= 0) continue;
            local = static_cast<index_t>(global_.size());
            global_.push_back(u);
        }
    words_ = (global_.size() + 63) / 64;
    adjacent_.assign(static_cast<std::size_t>(size) * words_, 0);
    for (index_t v = 0; v < size; ++v)
        for (count_t p = whole.begin[part[v]]; p < whole.begin[part[v] + 1]; ++p) {
            const index_t u = number_of(whole.row[p]);
            adjacent_[v * words_ + u / 64] |= std::uint64_t{1} << (u % 64);
        }
}

/// Joins the neighbours of v.
void LeafOrder::eliminate(index_t v, index_t size) {
    degree_[v] = eliminated;
    const std::uint64_t* from = &adjacent_[v * words_];
    for (std::size_t w = 0; w < (static_cast<std::size_t>(size) + 63) / 64; ++w)
        for (std::uint64_t bits = from[w]; bits != 0; bits &= bits - 1) {
            const auto u = static_cast<index_t>(64 * w) + std::countr_zero(bits);
            if (u >= size) return;
            std::uint64_t* to = &adjacent_[u * words_];
            index_t degree = 0;
            for (std::size_t k = 0; k < words_; ++k) {
                to[k] |= from[k];
                degree += std::popcount(to[k]);
            }
            // u has itself and the eliminated v in its set now.
            const auto clear = [&](index_t x) {
                degree -= static_cast<index_t>(to[x / 64] >> (x % 64) & 1);
                to[x / 64] &= ~(std::uint64_t{1} << (x % 64));
            };
            clear(u);
            clear(v);
            degree_[u] = degree;
        }
}

}  // namespace frond::dissection
