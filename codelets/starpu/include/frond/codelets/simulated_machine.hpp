// SPDX-License-Identifier: BSD-3-Clause
// What a simulation takes from a machine file, in addition to the hosts and links that SimGrid reads.
#pragma once

#include "frond/base/types.hpp"
#include "frond/codelets/rates.hpp"

namespace frond {

/// The link of each card, in each direction.
struct SimulatedCardLinks {
    double bytes_per_second = 0;  // between the host and the card
    double latency_seconds = 0;
    double peer_bytes_per_second = 0;  // from one card to another; 0: through the host
};

struct SimulatedHardware {
    index_t cores = 0;
    index_t cards = 0;
    count_t card_memory_bytes = 0;  // of each
    SimulatedCardLinks card_links;  // for simulated ranks; SimGrid reads its own
    /// Behind costs and choices, and behind tasks on cards that have no model; 0: as shipped.
    MeasuredRates rates;
};

/// Before the first session.
void use_simulated_hardware(const SimulatedHardware& hardware) noexcept;
const SimulatedHardware& simulated_hardware() noexcept;

}  // namespace frond
