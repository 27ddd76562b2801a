// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/contract.hpp"
#include "ordering_parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace frond {
namespace {

/// Seconds for each entry of the factors, of one core; the memory serves so many cores at once.
constexpr double entry_seconds = 12e-9;
constexpr index_t cores_that_memory_serves = 8;

double on_cores(const FillEstimate& fill, const MachineDescription& m) {
    const double entries = static_cast<double>(fill.factor_entries);
    return fill.flops / (m.core_flops_per_second * m.cores) +
           entries * entry_seconds / std::min(m.cores, cores_that_memory_serves);
}

double on_device(const FillEstimate& fill, index_t groups, const MachineDescription& m) {
    constexpr double pivots_of_step = 32;
    if (m.devices == 0) return std::numeric_limits<double>::infinity();
    return fill.flops / m.device_flops_per_second + std::log2(static_cast<double>(groups) + 1) * m.level_seconds +
           static_cast<double>(fill.pivot_path) / pivots_of_step * m.step_seconds;
}

/// Separator over square root of what it separates: about 1 for a mesh in a plane, n^(1/6) for one
/// in space, nothing for a tree.
double separator_share(count_t separator, count_t weight) {
    return weight > 0 ? static_cast<double>(separator) / std::sqrt(static_cast<double>(weight)) : 0;
}

double mean_share(const FirstSeparators& s) {
    const double second = (separator_share(s.second[0], s.side[0]) + separator_share(s.second[1], s.side[1])) / 2;
    return (separator_share(s.first, s.weight) + second) / 2;
}

/// Flops of AMD's order over those of dissection. Fitted to 15 matrices of more than 20,000 groups:
/// below a share of 0.5 0.8 to 1.2, at 1 1.0 to 1.6, at 2 and more 3.3 to 4.8.
double amd_excess(double share) { return std::clamp(1 + 0.8 * (share - 0.5), 1.0, 4.0); }

/// Fronts of the first separators, those of the second depth with the first one as their rows: a
/// sixth of all flops (a third where separators shrink quickly, a tenth in a plane; same matrices).
/// Entries: those below the top, n log2(n) as in a plane, and the top's, as squares.
FillEstimate estimated_fill(const FirstSeparators& s, Factorization kind) {
    constexpr double all_flops = 6;
    FillEstimate fill;
    fill.flops = front_flops(s.first, s.first, kind);
    for (const count_t second : s.second) fill.flops += front_flops(second, second + s.first, kind);
    fill.flops *= all_flops;
    const double n = static_cast<double>(s.weight), top = static_cast<double>(s.first);
    const double triangles = kind == Factorization::lu ? 2 : 1;
    fill.factor_entries = static_cast<count_t>(triangles * (2.5 * n * std::log2(n + 1) + 6 * top * top));
    fill.pivot_path = 2 * s.first + std::max(s.second[0], s.second[1]);
    return fill;
}

/// So many times the flops; entries and the path of pivots grow by the square root.
FillEstimate with_excess(const FillEstimate& fill, double excess) {
    const auto grown = [&](count_t x) { return static_cast<count_t>(static_cast<double>(x) * std::sqrt(excess)); };
    return {fill.flops * excess, grown(fill.factor_entries), grown(fill.pivot_path)};
}

}  // namespace

double predicted_factor_seconds(const FillEstimate& fill, index_t groups, const MachineDescription& machine) {
    return std::min(on_cores(fill, machine), on_device(fill, groups, machine));
}

double dissection_cpu_seconds(index_t vertices, count_t entries) {
    const double n = static_cast<double>(vertices);
    return 90e-9 * n * std::log2(n + 1) + 0.34e-6 * static_cast<double>(entries);
}

double predicted_dissection_seconds(index_t vertices, count_t entries, const MachineDescription& machine) {
    return dissection_cpu_seconds(vertices, entries) / std::pow(static_cast<double>(machine.cores), 0.75);
}

bool is_tried_after_amd(const FillEstimate& amd, const Pattern& groups, const MachineDescription& machine) {
    // What dissection saves is a third of AMD's time or so where it saves anything.
    constexpr double saved_share = 1.0 / 3;
    return expected_factorizations * saved_share * predicted_factor_seconds(amd, groups.cols, machine) >
           predicted_dissection_seconds(groups.cols, groups.entries(), machine);
}

bool is_worth_dissecting(const FirstSeparators& separators, Factorization kind, const MachineDescription& machine) {
    constexpr double amd_share = 0.3;  // of the time of a dissection on one thread
    const double excess = amd_excess(mean_share(separators));
    if (excess <= 1) return false;
    const FillEstimate dissected = estimated_fill(separators, kind);
    const FillEstimate amd = with_excess(dissected, excess);
    const double saved_seconds = predicted_factor_seconds(amd, separators.vertices, machine) -
                                 predicted_factor_seconds(dissected, separators.vertices, machine);
    const double amd_seconds = amd_share * dissection_cpu_seconds(separators.vertices, separators.entries);
    return expected_factorizations * saved_seconds + amd_seconds >
           predicted_dissection_seconds(separators.vertices, separators.entries, machine);
}

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
