// SPDX-License-Identifier: BSD-3-Clause
// The measurement at the first session with a device. Without one its half on a core is run here.
#include "frond/codelets/rates.hpp"
#include "frond/gpu/devices.hpp"
#include "run_both.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

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
