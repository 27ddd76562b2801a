// SPDX-License-Identifier: BSD-3-Clause
#include "ordering_parts.hpp"

#include "frond/base/contract.hpp"

#include <bit>
#include <cmath>
#include <string>

namespace frond {
namespace {

constexpr MachineDescription unknown_machine = {2, 60e9, 0, 0, 0, 0};
constexpr index_t deterministic_cores = 8;  // as many as the tree is cut for

/// The nearest power of two, by the logarithm; 0 stays.
double rounded_to_power(double x) { return x > 0 ? std::exp2(std::round(std::log2(x))) : 0; }

void check_machine(const MachineDescription& m) {
    FROND_EXPECTS(m.cores >= 0 && m.devices >= 0, "machine.cores = " + std::to_string(m.cores) +
                                                      " and machine.devices = " + std::to_string(m.devices) +
                                                      " must not be negative; 0: not known, none");
    for (const double x : {m.core_flops_per_second, m.device_flops_per_second, m.level_seconds, m.step_seconds})
        FROND_EXPECTS(std::isfinite(x) && x >= 0, "a rate or a time of the machine is " + std::to_string(x) +
                                                      "; give a positive number, or 0 where it is not known");
}

}  // namespace

MachineDescription machine_to_order_for(const AnalysisOptions& options) {
    MachineDescription m = options.machine;
    check_machine(m);
    if (options.deterministic) {
        m = unknown_machine;
        m.cores = deterministic_cores;
    }
    if (m.cores == 0) m.cores = unknown_machine.cores;
    if (m.core_flops_per_second == 0) m.core_flops_per_second = unknown_machine.core_flops_per_second;
    if (m.device_flops_per_second == 0) m.devices = 0;
    m.cores = static_cast<index_t>(std::bit_floor(static_cast<std::uint32_t>(m.cores)));
    m.core_flops_per_second = rounded_to_power(m.core_flops_per_second);
    m.device_flops_per_second = rounded_to_power(m.device_flops_per_second);
    m.level_seconds = rounded_to_power(m.level_seconds);
    m.step_seconds = rounded_to_power(m.step_seconds);
    return m;
}

}  // namespace frond
