// SPDX-License-Identifier: BSD-3-Clause
// What Frond asks of the processes that work together. MPI itself is behind it, in libfrond_mpi.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "frond/base/types.hpp"
#include "ranks/attendance.hpp"

namespace frond::detail {

/// The counts of one rank, since the communicator was made.
struct CommunicatorCounts {
    count_t bytes_sent = 0, bytes_received = 0, messages_sent = 0, messages_received = 0;  // of exchange()
    double idle_seconds = 0;  // waiting for other ranks
};

/// One rank's vertices of a graph with both triangles and no diagonal, and their neighbours, numbered over all ranks.
struct GraphPart {
    std::vector<count_t> begin;  // [own vertices + 1]
    std::vector<index_t> neighbour;
    std::vector<index_t> weight;  // [own vertices]
};

/// Some ranks, numbered from 0, and calls that all of them make in the same order. Who waits polls and sleeps, so that
/// the cores are free for those who work.
/// Every function throws RuntimeError, on all ranks, once MPI has reported an error on one of them; what the ranks have in
/// common is then unknown, and the run should end.
/// @par Thread safety  one thread at a time.
class Communicator {
public:
    Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    virtual ~Communicator() = default;

    virtual index_t rank() const noexcept = 0;
    virtual index_t size() const noexcept = 0;
    /// The ranks that share this one's memory, ascending.
    virtual const std::vector<index_t>& local_ranks() const noexcept = 0;

    /// A communicator of the same ranks, with messages of its own. Collective.
    virtual std::unique_ptr<Communicator> duplicate() = 0;

    /// values[i] := the largest, or the sum, of values[i] of all ranks.
    virtual void all_reduce_max(std::span<count_t> values) = 0;
    virtual void all_reduce_sum(std::span<count_t> values) = 0;
    /// data := that of rank `root`. As many bytes on all ranks.
    virtual void broadcast(std::span<std::byte> data, index_t root) = 0;
    /// Element r of the result: what rank r had for this rank. mine [size()]
    virtual std::vector<count_t> all_to_all(std::span<const count_t> mine) = 0;
    /// Bytes begin[r] .. begin[r + 1] of out go to rank r, and of in come from rank r. Both begin [size() + 1]; what r
    /// sends and what is received from it must be as long.
    virtual void exchange(std::span<const std::byte> out, std::span<const count_t> out_begin, std::span<std::byte> in,
                          std::span<const count_t> in_begin) = 0;

    /// While another thread of each rank works: carries wishes to cancel and news of failed jobs between all ranks until
    /// the work of all has ended. Collective.
    virtual void attend(Attendance& attendance) = 0;

    /// Whether order_graph() works: where the plug-in was built with PT-Scotch.
    virtual bool orders_graphs() const noexcept = 0;
    /// When each own vertex is eliminated: nested dissection of a graph of which the ranks have parts, rank 0 the first
    /// vertices. Ranks without vertices do not take part; the others wait inside MPI. The same parts give the same result.
    /// Collective; throws on all ranks that have vertices, or on none; for want of memory on one rank alone, while the others
    /// get nothing: whoever calls has them agree.
    virtual std::vector<index_t> order_graph(const GraphPart& part) = 0;

    virtual CommunicatorCounts counts() const noexcept = 0;
};

}  // namespace frond::detail
