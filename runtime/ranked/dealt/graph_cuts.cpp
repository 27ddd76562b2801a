// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/dealt/graph_cuts.hpp"

#include <algorithm>

#include "frond/base/vector_index.hpp"

namespace frond::detail {

std::vector<count_t> cuts_of_graph(const Pattern& graph, index_t ranks, index_t least) {
    const index_t used = std::clamp(graph.cols / least, 1, ranks);
    const auto weight_before = [&](count_t v) { return graph.begin[at(v)] + v; };
    const count_t all = weight_before(graph.cols);
    std::vector<count_t> cut(1, 0);
    for (index_t r = 1; r < used; ++r) {
        // No product is formed that could leave 64 bits.
        const count_t wanted = all / used * r + all % used * r / used;
        count_t low = cut.back(), high = graph.cols;
        while (low < high) {
            const count_t middle = low + (high - low) / 2;
            if (weight_before(middle) < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        cut.push_back(low);
    }
    cut.resize(static_cast<std::size_t>(ranks) + 1, graph.cols);
    return cut;
}

}  // namespace frond::detail
