// SPDX-License-Identifier: BSD-3-Clause
// The shipped rates, their scaling by a measurement, and the choices that are made by them.
#include "frond/codelets/rates.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <limits>

using namespace frond;

TEST_CASE("what was measured scales the rates that go with it, and no other") {
    MeasuredRates measured = shipped_measurement;
    measured.core_product_flops *= 2;
    measured.device_product_flops /= 4;
    measured.link_bytes /= 2;
    const Rates shipped, r = scaled_rates(measured);
    CHECK(r.core_flops == doctest::Approx(2 * shipped.core_flops));
    CHECK(r.device_tile_flops == doctest::Approx(shipped.device_tile_flops / 4));
    CHECK(r.device_tree_flops == doctest::Approx(shipped.device_tree_flops / 4));
    CHECK(r.link_bytes == doctest::Approx(shipped.link_bytes / 2));
    CHECK(r.core_read_bytes == shipped.core_read_bytes);
    CHECK(r.device_read_bytes == shipped.device_read_bytes);
    CHECK(r.launch_seconds == shipped.launch_seconds);
}

TEST_CASE("nothing measured, or nonsense, leaves the shipped rates") {
    const Rates shipped;
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (const MeasuredRates& measured : {MeasuredRates{}, MeasuredRates{nan, -1, inf, 0}, shipped_measurement}) {
        const Rates r = scaled_rates(measured);
        CHECK(r.core_flops == shipped.core_flops);
        CHECK(r.device_tile_flops == shipped.device_tile_flops);
        CHECK(r.link_bytes == shipped.link_bytes);
    }
}

TEST_CASE("a measurement beyond belief counts as the nearest that is believed") {
    const Rates shipped, r = scaled_rates({1e30, 1, 1e30, 0});
    CHECK(r.core_flops == doctest::Approx(16 * shipped.core_flops));
    CHECK(r.device_tile_flops == doctest::Approx(shipped.device_tile_flops / 256));
    CHECK(r.link_bytes == doctest::Approx(16 * shipped.link_bytes));
}

TEST_CASE("single precision is quicker than double, whatever the number of parts") {
    CHECK(relative_speed<double> == 1);
    CHECK(relative_speed<std::complex<double>> == 1);
    CHECK(relative_speed<float> > 1);
    CHECK(relative_speed<float> == relative_speed<std::complex<float>>);
}

// The thresholds below were computed from the rates that were in the code when both choices were measured
// on the card: 4 us a launch, 1e13 and 3e10 flops a second; 1.5e12, 1e10, 8e9 and 8e10 bytes a second.

TEST_CASE("whole trees go to the device from as many operations as before") {
    struct {
        count_t launches;
        index_t cores;
        double flops;
    } const thresholds[] = {{100, 15, 1.885e8}, {500, 15, 9.424e8}, {2000, 15, 3.770e9}, {500, 1, 6.018e7}};
    const Rates r;
    for (const auto& t : thresholds) {
        CAPTURE(t.launches);
        CAPTURE(t.cores);
        const auto pays = [&](double flops) {
            return tree_seconds_on_device(r, flops, t.launches) < tree_seconds_on_cores(r, flops, 0, t.cores);
        };
        CHECK(!pays(t.flops * 0.8));
        CHECK(pays(t.flops * 1.2));
    }
}

TEST_CASE("many cores are no quicker than the tasks that follow one another") {
    const Rates r;
    CHECK(tree_seconds_on_cores(r, 8e9, 4e9, 1) == doctest::Approx(8e9 / r.core_flops));
    CHECK(tree_seconds_on_cores(r, 8e9, 4e9, 2) == doctest::Approx(4e9 / r.core_flops));
    CHECK(tree_seconds_on_cores(r, 8e9, 4e9, 128) == doctest::Approx(4e9 / r.core_flops));
}

TEST_CASE("solves go to the device from as many bytes as before") {
    struct {
        count_t phases;
        index_t cores;
        double vector_bytes, factor_bytes;
    } const thresholds[] = {
        {60, 15, 0, 1.014e7}, {60, 15, 8e5, 1.691e7}, {60, 2, 8e5, 3.235e6}, {200, 15, 1.7e6, 4.818e7}};
    const Rates r;
    for (const auto& t : thresholds) {
        CAPTURE(t.phases);
        CAPTURE(t.cores);
        CAPTURE(t.vector_bytes);
        const auto pays = [&](double factors) {
            return solve_seconds_on_device(r, factors, t.vector_bytes, t.phases) <
                   solve_seconds_on_cores(r, factors, t.cores);
        };
        CHECK(!pays(t.factor_bytes * 0.8));
        CHECK(pays(t.factor_bytes * 1.2));
    }
}
