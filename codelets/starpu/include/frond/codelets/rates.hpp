// SPDX-License-Identifier: BSD-3-Clause
// How quick the cores and the devices of this machine are: what the costs of tasks and the choices between
// cores and device are made of. Nothing of it enters the results of a deterministic run, whose tasks have
// fixed positions.
#pragma once

#include <type_traits>

#include "frond/base/types.hpp"

namespace frond {

/// Seconds, and real operations and bytes a second, in double precision. As shipped: one H200 and the
/// AVX-512 cores of its machine; their order of magnitude counts (docs/gpu-tasks.md).
struct Rates {
    double core_flops = 3e10;  // of one core that factors
    double core_moved_bytes = 5e9;  // of the buffers of tasks that copy and add
    double core_read_bytes = 8e9;  // of factors in a solve, by one core
    double host_read_bytes = 8e10;  // the same, by all cores at most
    double core_front_seconds = 2e-7;  // of one front in a solve, in addition to what it reads
    double core_task_seconds = 5e-6;  // of a task without work
    double device_tile_flops = 2e13;  // of tasks on tiles
    double device_tree_flops = 1e13;  // of a whole tree at once
    double device_piece_flops = 1.1e14;  // of a piece of a tree, without its bytes, levels and kernels
    double device_front_flops = 4.2e13;  // of fronts of order 10,000 and more, the products
    double device_piece_bytes = 3.3e11;  // of the fronts of a piece, as squares
    double piece_level_seconds = 1.8e-4, piece_launch_seconds = 2e-6;
    double piece_seconds = 8e-4;  // whatever its size: machines/models/h200, L L^T
    double device_moved_bytes = 1e12;
    double device_read_bytes = 1.5e12;
    double device_task_seconds = 20e-6;
    double launch_seconds = 4e-6;  // of one kernel, with what it waits for
    double link_bytes = 1e10;  // between pageable memory and the device
    double pinned_link_bytes = 5e10;  // between pinned memory and the device
    double device_to_device_bytes = 3.5e11;  // between two H200 of a host, copied by StarPU
};

/// What a short measurement says; 0: not measured.
struct MeasuredRates {
    double core_product_flops = 0;  // of C := C - A B by one core
    double device_product_flops = 0;  // the same by the device's BLAS
    double link_bytes = 0;  // a second, pinned memory, the slower direction
    double seconds = 0;  // that the measurement took, with the start of the device's BLAS
};

/// What goes with the shipped rates: measured on an H200 and a core of its machine, 2026-11-22.
inline constexpr MeasuredRates shipped_measurement{5.8e10, 3.1e13, 5.2e10, 0};

/// Operations of T in place of one of double in the same time.
template <class T>
inline constexpr double relative_speed = std::is_same_v<real_t<T>, float> ? 2.0 : 1.0;

/// The shipped rates times measured / shipped_measurement, for what scales with each; a quotient outside
/// [1/256, 16] counts as the nearer bound, one that was not measured as 1.
Rates scaled_rates(const MeasuredRates& measured) noexcept;

/// The rates of this process: as shipped until use_measurement.
const Rates& rates() noexcept;
const MeasuredRates& measured_rates() noexcept;
/// Before the first task of a session with devices, while nobody reads rates().
void use_measurement(const MeasuredRates& measured) noexcept;

/// Estimates for the choice; flops in double precision. chain_flops: of the tasks that follow one another.
double tree_seconds_on_device(const Rates& r, double flops, count_t launches) noexcept;
double tree_seconds_on_cores(const Rates& r, double flops, double chain_flops, index_t cores) noexcept;
/// One right-hand side, forth and back; vector_bytes: of B.
double solve_seconds_on_device(const Rates& r, double factor_bytes, double vector_bytes, count_t phases) noexcept;
double solve_seconds_on_cores(const Rates& r, double factor_bytes, index_t cores) noexcept;

}  // namespace frond
