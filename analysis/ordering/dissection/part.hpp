// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dissection_graph.hpp"

#include <vector>

namespace frond::dissection {

/// Vertices order[first .. first + graph.size()) of the whole graph, numbered as they stand there.
/// A part owns that range of the final order.
struct Part {
    Graph graph;
    index_t first = 0;
    index_t depth = 0;  // separators above it
    index_t number = 0;  // among the parts of that depth

    index_t size() const { return graph.size(); }
};

struct SplitPart {
    Part left;
    Part right;
};

/// Rearranges the part's range of `order`: left vertices, right vertices, separator, each as
/// before. local: scratch.
SplitPart split(const Part& part, const Partition& partition, std::vector<index_t>& order, std::vector<index_t>& local);

}  // namespace frond::dissection
