// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of a step share; eliminate.hpp says what they compute.
#pragma once

#include "device_scalar.hpp"
#include "eliminate.hpp"

namespace frond::gpu {

template <class S>
struct StepArguments {
    const SquareFront<S>* fronts;
    const FrontStep* steps;
    index_t count;
    Factorization kind;
    EliminateAnswer* answer;

    __device__ DeviceReal<S> smallest_pivot() const { return static_cast<DeviceReal<S>>(answer->smallest_pivot); }
    __device__ DeviceReal<S> bound() const { return static_cast<DeviceReal<S>>(answer->bound); }
};

/// The last of steps [0, count) whose blocks start at `block` or before.
FROND_DEVICE index_t find_step(const FrontStep* steps, index_t count, unsigned block,
                               unsigned FrontStep::*first_block) {
    index_t low = 0, high = count;
    while (high - low > 1) {
        const index_t middle = (low + high) / 2;
        (steps[middle].*first_block <= block ? low : high) = middle;
    }
    return low;
}

/// Rows and columns that one block of the update works on, and rows that one of the solve does.
template <class S>
inline constexpr index_t update_tile = sizeof(S) == 16 ? 32 : 64;
inline constexpr unsigned solve_threads = 128;

template <class S>
void launch_factor(Stream stream, const StepArguments<S>& a);
template <class S>
void launch_solve(Stream stream, const StepArguments<S>& a, unsigned blocks);
template <class S>
void launch_update(Stream stream, const StepArguments<S>& a, unsigned blocks);

inline constexpr index_t w = step_columns;

#define FROND_FOR_EACH_DEVICE_SCALAR(X) X(float) X(double) X(Complex<float>) X(Complex<double>)

}  // namespace frond::gpu
