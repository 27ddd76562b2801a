// SPDX-License-Identifier: BSD-3-Clause
// The measurement at the first session with a device. Without one its half on a core is run here.
#include "frond/codelets/rates.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/gpu/measured_cards.hpp"
#include "needs_device.hpp"
#include "run_both.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr double no_latency_of_a_link = 1e-2;

}  // namespace

TEST_CASE("the session has measured one core and one device, once") {
    const bool measured_by_session = has_device();
    const Rates shipped;
    if (!measured_by_session) {
        CHECK(measured_rates().core_product_flops == 0);
        CHECK(rates().core_flops == shipped.core_flops);
        gpu::measure_rates();
    }
    const MeasuredRates m = measured_rates();
    if (gpu::vendor_of_build() == DeviceVendor::none) {
        CHECK(m.core_product_flops == 0);
        return;
    }
    CHECK(m.core_product_flops > 1e7);
    CHECK(m.core_product_flops < 1e13);
    CHECK(m.seconds > 0);
    CHECK((m.device_product_flops > 1e9) == measured_by_session);
    CHECK((m.link_bytes > 1e7) == measured_by_session);
    const Rates scaled = scaled_rates(m);
    CHECK(rates().core_flops == scaled.core_flops);
    CHECK(rates().device_tile_flops == scaled.device_tile_flops);
    CHECK(rates().link_bytes == scaled.link_bytes);
    MESSAGE("core " << m.core_product_flops * 1e-9 << " Gflop/s, device " << m.device_product_flops * 1e-12
                    << " Tflop/s, link " << m.link_bytes * 1e-9 << " GB/s, in " << m.seconds * 1e3 << " ms");
    gpu::measure_rates();
    CHECK(measured_rates().core_product_flops == m.core_product_flops);
    CHECK(measured_rates().seconds == m.seconds);
}

TEST_CASE("each card of a session has a model, memory and rates" * doctest::test_suite(wherever)) {
    const bool device = has_device();
    const std::vector<gpu::MeasuredCard> cards = gpu::measured_cards();
    REQUIRE(cards.size() == gpu::devices().size());
    CHECK(cards.empty() != device);
    for (const gpu::MeasuredCard& card : cards) {
        CAPTURE(card.model);
        CHECK(card.model.size() > 3);
        CHECK(card.memory_bytes > 100'000'000);
        CHECK(card.product_flops > 1e9);
        CHECK(card.link_bytes > 1e7);
        CHECK(card.link_seconds >= 0);
        CHECK(card.link_seconds < no_latency_of_a_link);
        if (cards.size() == 1) CHECK(card.peer_bytes == 0);
    }
    if (device) {
        CHECK(cards.front().product_flops == measured_rates().device_product_flops);
        CHECK(cards.front().link_bytes == measured_rates().link_bytes);
    }
}
