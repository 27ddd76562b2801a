// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factor/tree_plan.hpp"
#include "factor/value_scaler.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/gpu/resident_factorization.hpp"
#include "frond/gpu/tree_run.hpp"

namespace frond::gpu {

/// What is on each device for the values of a matrix: those that StarPU brings there, and what scales them.
template <class T>
count_t bytes_of_values(const Analysis& analysis) {
    return analysis.entries * static_cast<count_t>(sizeof(T)) + ValueScaler<T>::bytes(analysis);
}

/// The pieces of a tree for some of so many devices, the first ones, and the cores of its machine, by what rates() say
/// of their speed.
template <class T>
TreePlan<T> plan_on_devices(const Analysis& analysis, std::size_t devices, const PlanRequest& request,
                            const ParallelFor& parallel_for);

}  // namespace frond::gpu
