// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of a step share; eliminate.hpp says what they compute.
#pragma once

#include "device_scalar.hpp"
#include "eliminate.hpp"

namespace frond::gpu {

template <class S>
struct StepArguments {
    const DenseFront<S>* fronts;
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

/// D^-1 of a step's pivots, of which a 2 x 2 pivot has entries off the diagonal.
template <class S>
struct PivotInverses {
    S own[step_columns], before[step_columns], after[step_columns];

    /// pivots: [2, ..] as DenseFront's; t: entry that the calling thread loads.
    __device__ void load(const S* pivots, bool hermitian, index_t t) {
        const S* const d = pivots + 2 * t;
        before[t] = after[t] = RealOf<S>::make(0);
        if (t > 0 && !is_zero(d[-1])) {
            const TwoByTwoInverse<S> inverse(d[-2], d[-1], d[0], hermitian);
            own[t] = inverse.a22, before[t] = inverse.a12;
        } else if (!is_zero(d[1])) {
            const TwoByTwoInverse<S> inverse(d[0], d[1], d[2], hermitian);
            own[t] = inverse.a11, after[t] = inverse.a21;
        } else {
            own[t] = RealOf<S>::make(1) / d[0];
        }
    }
};

template <class S>
__device__ bool exceeds_bound(const StepArguments<S>& a, DeviceReal<S> size) {
    return !(size <= a.bound()) || size == DeviceReal<S>(INFINITY);
}

/// The largest entries of all threads of the block, to the answer; infinity or one above the bound: it has failed.
template <class S>
__device__ void report_largest(const StepArguments<S>& a, DeviceReal<S> largest) {
    __shared__ unsigned long long of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    const double value = largest;
    atomicMax(&of_block, static_cast<unsigned long long>(__double_as_longlong(value)));
    if (exceeds_bound(a, largest)) a.answer->failed = 1;
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&a.answer->largest_bits, of_block);
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
