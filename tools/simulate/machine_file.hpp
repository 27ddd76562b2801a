// SPDX-License-Identifier: BSD-3-Clause
// A machine that factorizations are simulated on, as a file describes it (docs/machines.md).
#pragma once

#include "frond/base/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace frond::cli {

/// Some cards of one model, each with its own link to the host.
struct SimulatedCards {
    std::string model;
    index_t count = 0;
    count_t memory_bytes = 0;
    double link_bytes_per_second = 0;  // in each direction
    double link_seconds = 0;  // latency
    double peer_bytes_per_second = 0;  // from one of them to another, in each direction; 0: through the host
    double product_flops = 0;  // operations a second of C := C - A B; 0: as the card that Frond's rates are from
    std::string product_source;  // of that number
};

/// Between nodes, each of which has a link of its own.
struct NodeNetwork {
    double bytes_per_second = 0;  // of a link, in each direction
    double latency_seconds = 0;  // from one node to another
    double message_seconds = 0;  // of the thread that sends or receives a message, at each end
};

struct SimulatedMachine {
    std::string name;
    std::string about;  // where its numbers are from; empty: nothing is said
    index_t nodes = 1;  // all alike; what follows is of one of them
    index_t cores = 0;
    count_t memory_bytes = 0;
    double core_speed = 1;  // of a core, in those of the core that the models were recorded on
    std::vector<SimulatedCards> cards;
    NodeNetwork network;  // of several nodes
    std::string models;  // a folder with models that are shipped, for runs that name none; empty: none

    index_t card_count() const noexcept;
};

/// The most cores that Frond's build of StarPU has workers for, and the most cards of its SimGrid build.
inline constexpr index_t most_simulated_cores = 128, most_simulated_cards = 8;
inline constexpr index_t most_simulated_nodes = 1024;

/// file: the name in messages.
/// @throws InvalidArgument  naming file, line and reason
SimulatedMachine parse_machine(std::string_view text, const std::string& file);

/// "this": the machine that the process runs on, with its cards where they are asked for (this_machine.hpp). Else a file,
/// or the name of one that is shipped, with the cards that it has.
/// @throws InvalidArgument  as parse_machine(), or there is no such file
SimulatedMachine read_machine(const std::string& name, bool with_cards = true);

/// @throws InvalidArgument  --cpu-workers asks for more than the machine has
void expect_cores(const SimulatedMachine& machine, index_t cpu_workers);

/// The folder that is shipped next to the machines; empty: there is none of this name.
std::string shipped_models(const std::string& name);

/// The text of the machine's file.
std::string text_of_machine(const SimulatedMachine& machine);

}  // namespace frond::cli
