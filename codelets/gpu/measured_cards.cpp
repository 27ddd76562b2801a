// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/measured_cards.hpp"

#include <starpu.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "check.hpp"
#include "frond/gpu/devices.hpp"
#include "measure_device.hpp"
#include "vendor.hpp"

namespace frond::gpu {
namespace {

/// The memory of an emulated device is that of the host: nothing passes a link.
bool is_host(const Device& place) { return place.memory_node == STARPU_MAIN_RAM; }

/// StarPU has microseconds.
double latency_of(const Device& place) {
    if (is_host(place)) return 0;
    const double seconds = 1e-6 * std::max(starpu_transfer_latency(STARPU_MAIN_RAM, place.memory_node),
                                           starpu_transfer_latency(place.memory_node, STARPU_MAIN_RAM));
    return std::isfinite(seconds) ? std::max(seconds, 0.0) : 0;
}

/// StarPU has MB/s. The slower direction.
double peer_bytes(const Device& one, const Device& other) {
    if (one.memory_node == other.memory_node) return 0;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [from, to] : {std::pair{one, other}, {other, one}}) {
        const int bus = starpu_bus_get_id(static_cast<int>(from.memory_node), static_cast<int>(to.memory_node));
        if (bus < 0 || starpu_bus_get_direct(bus) == 0) return 0;
        least = std::min(least, 1e6 * starpu_transfer_bandwidth(from.memory_node, to.memory_node));
    }
    return std::isfinite(least) ? std::max(least, 0.0) : 0;
}

MeasuredRates rates_of(const Device& place, bool is_first) {
    if (is_first) return measured_rates();
    MeasuredRates rates;
    try {
        measure_device(place.device, rates);
    } catch (const DeviceError&) {  // it stays 0
    }
    return rates;
}

}  // namespace

std::vector<MeasuredCard> measured_cards() {
    const std::vector<Device> places = devices();
    std::vector<MeasuredCard> cards;
    for (std::size_t k = 0; k < places.size(); ++k) {
        const Device& place = places[k];
        MeasuredCard card{device_name(place.device), place.memory_bytes + place.beside_bytes, 0, 0, 0, 0};
        const auto same = std::find_if(cards.begin(), cards.end(),
                                       [&card](const MeasuredCard& other) { return other.model == card.model; });
        const MeasuredRates rates = same == cards.end() ? rates_of(place, k == 0) : MeasuredRates{};
        card.product_flops = same == cards.end() ? rates.device_product_flops : same->product_flops;
        card.link_bytes = same == cards.end() ? rates.link_bytes : same->link_bytes;
        card.link_seconds = latency_of(place);
        if (places.size() > 1) card.peer_bytes = peer_bytes(place, places[(k + 1) % places.size()]);
        cards.push_back(card);
    }
    return cards;
}

}  // namespace frond::gpu
