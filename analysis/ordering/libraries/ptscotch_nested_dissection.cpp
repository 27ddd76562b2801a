// SPDX-License-Identifier: BSD-3-Clause
// Chevalier & Pellegrini 2008, "PT-Scotch: a tool for efficient parallel graph ordering", through
// whoever has processes for it.
#include "../by_component.hpp"
#include "frond/analysis/distributed_ordering.hpp"
#include "frond/base/error.hpp"

namespace frond {
namespace {

/// Fewer vertices are not worth the messages: Scotch orders them in this process.
constexpr index_t least_vertices_for_processes = 1000;

}  // namespace

DistributedOrdering& expect_distributed_ordering() {
    DistributedOrdering* const ordering = DistributedOrdering::of_this_thread();
    if (ordering == nullptr)
        throw InvalidArgument(
            "the ordering `ptscotch` is for several processes, and this session has no communicator; start the program "
            "by mpirun, or set SessionOptions::communicator; in one process take `nested_dissection` or `scotch`");
    ordering->expect_available();
    return *ordering;
}

std::vector<index_t> ptscotch_nested_dissection(const Pattern& graph, const std::vector<index_t>& weight) {
    DistributedOrdering& processes = expect_distributed_ordering();
    return order_by_component(graph, weight, [&](const Pattern& part, const std::vector<index_t>& part_weight) {
        if (part.cols < least_vertices_for_processes) return scotch_nested_dissection(part, part_weight);
        return processes.order(part, part_weight);
    });
}

}  // namespace frond
