// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/rates.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

double quotient(double measured, double shipped) {
    constexpr double least = 1.0 / 256, most = 16;
    if (!std::isfinite(measured) || measured <= 0) return 1;
    return std::clamp(measured / shipped, least, most);
}

struct InUse {
    Rates rates;
    MeasuredRates measured;
};

InUse& in_use() noexcept {
    static InUse all;
    return all;
}

}  // namespace

Rates scaled_rates(const MeasuredRates& measured) noexcept {
    const double core = quotient(measured.core_product_flops, shipped_measurement.core_product_flops);
    const double device = quotient(measured.device_product_flops, shipped_measurement.device_product_flops);
    Rates r;
    r.core_flops *= core;
    r.device_tile_flops *= device;
    r.device_tree_flops *= device;
    r.device_piece_flops *= device;
    r.device_front_flops *= device;
    r.device_piece_bytes *= device;
    const double link = quotient(measured.link_bytes, shipped_measurement.link_bytes);
    r.link_bytes *= link;
    r.pinned_link_bytes *= link;
    return r;
}

const Rates& rates() noexcept { return in_use().rates; }

const MeasuredRates& measured_rates() noexcept { return in_use().measured; }

void use_measurement(const MeasuredRates& measured) noexcept { in_use() = {scaled_rates(measured), measured}; }

double tree_seconds_on_device(const Rates& r, double flops, count_t launches) noexcept {
    return r.launch_seconds * static_cast<double>(launches) + flops / r.device_tree_flops;
}

double tree_seconds_on_cores(const Rates& r, double flops, double chain_flops, index_t cores) noexcept {
    return std::max(flops / cores, chain_flops) / r.core_flops;
}

double solve_seconds_on_device(const Rates& r, double factor_bytes, double vector_bytes, count_t phases) noexcept {
    return r.launch_seconds * static_cast<double>(phases) + 2 * factor_bytes / r.device_read_bytes +
           2 * vector_bytes / r.link_bytes;
}

double solve_seconds_on_cores(const Rates& r, double factor_bytes, index_t cores) noexcept {
    return 2 * factor_bytes / std::min(r.core_read_bytes * cores, r.host_read_bytes);
}

}  // namespace frond
