// SPDX-License-Identifier: BSD-3-Clause
// What the cards of this machine are, for descriptions of it.
#pragma once

#include <string>
#include <vector>

#include "frond/base/types.hpp"

namespace frond::gpu {

/// In double precision, bytes a second, seconds; what is 0 could not be measured, but for latency and peers.
struct MeasuredCard {
    std::string model;  // as its vendor's runtime calls it
    count_t memory_bytes = 0;  // of all of the card
    double product_flops = 0;  // operations a second of C := C - A B, products of order 1024
    double link_bytes = 0;  // to and from pinned memory of the host, the slower direction
    double link_seconds = 0;  // latency of the link, as StarPU measured it
    double peer_bytes = 0;  // to the next card, as StarPU measured it; 0: copies pass through the host, or it is alone
};

/// The cards of the open session, in its order; empty: it has none, or one is lost. The first card was measured when
/// the session began; another model takes some milliseconds of the calling thread, while no task runs.
std::vector<MeasuredCard> measured_cards();

}  // namespace frond::gpu
