// SPDX-License-Identifier: BSD-3-Clause
// An ordering by several processes, as the analysis asks for it. It knows no MPI.
#pragma once

#include <vector>

#include "frond/matrix/sparse_matrix.hpp"

namespace frond {

/// Nested dissection by processes that the thread of an analysis may call upon.
class DistributedOrdering {
public:
    DistributedOrdering() = default;
    DistributedOrdering(const DistributedOrdering&) = delete;
    DistributedOrdering& operator=(const DistributedOrdering&) = delete;

    /// The ordering of the calling thread; null: it has no other processes.
    static DistributedOrdering*& of_this_thread() noexcept {
        thread_local DistributedOrdering* ordering = nullptr;
        return ordering;
    }

    /// @throws InvalidArgument  these processes cannot order graphs, and why
    virtual void expect_available() const = 0;
    /// order[k] = vertex eliminated k-th. The graph has both triangles and no diagonal.
    virtual std::vector<index_t> order(const Pattern& graph, const std::vector<index_t>& weight) = 0;

protected:
    ~DistributedOrdering() = default;
};

/// The ordering of the calling thread, if it can order. @throws InvalidArgument  there is none
DistributedOrdering& expect_distributed_ordering();

}  // namespace frond
