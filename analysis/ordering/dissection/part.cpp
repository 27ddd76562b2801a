// SPDX-License-Identifier: BSD-3-Clause
#include "part.hpp"

#include <array>
#include <cstddef>

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

}  // namespace frond::dissection
