// SPDX-License-Identifier: BSD-3-Clause
// Several ranks that a simulation plays, each on a machine of its own, and what was found out about them.
#pragma once

#include <vector>

#include "frond/base/types.hpp"

namespace frond {

/// Each rank has a link of its own to all others.
struct SimulatedNetwork {
    double bytes_per_second = 0;  // of a link, in each direction
    double latency_seconds = 0;  // from one rank to another
    double message_seconds = 0;  // of the thread that sends or receives a message, at each end
};

struct SimulatedCluster {
    index_t ranks = 0;  // 0: the session alone, with StarPU's scheduler
    index_t memories = 1;  // each card has the memory of so many: of all, where one rank does what several do
    SimulatedNetwork network;
};

/// What one rank did in the last factorization.
struct SimulatedRankWork {
    count_t factor_bytes = 0, peak_bytes = 0, peak_bytes_predicted = 0;
    count_t tasks = 0;
    double flops = 0;
    double seconds = 0;  // from the begin of the factorization to the end of the rank's tasks and messages
    double busy_seconds = 0;  // of all its cores
    double card_busy_seconds = 0;  // of all its cards
    count_t card_peak_bytes = 0;  // of the card that holds most
    count_t bytes_to_cards = 0, bytes_from_cards = 0;  // over their links to the host
    double submit_seconds = 0;  // of the thread that submits
    count_t bytes_sent = 0, bytes_received = 0, messages_sent = 0, messages_received = 0;  // between tasks
    count_t bytes_sent_predicted = 0, bytes_received_predicted = 0;  // by the plan
    count_t messages_sent_predicted = 0, messages_received_predicted = 0;
};

struct SimulatedClusterWork {
    index_t cores = 0, cards = 0;  // of a rank
    double seconds = 0;  // of the factorization
    double path_seconds = 0;  // of the longest chain of tasks and messages that wait for each other
    std::vector<SimulatedRankWork> ranks;  // rank 0 may have done all of it, where that is quicker
};

/// Before the first factorization.
void use_simulated_cluster(const SimulatedCluster& cluster) noexcept;
const SimulatedCluster& simulated_cluster() noexcept;

/// What all ranks did in the last factorization.
SimulatedClusterWork& simulated_cluster_work() noexcept;

}  // namespace frond
