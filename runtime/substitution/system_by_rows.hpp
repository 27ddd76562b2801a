// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"
#include "frond/gpu/resident_solve.hpp"

namespace frond::detail {

/// Of A, or of its transpose. Cost: O(entries).
std::shared_ptr<const gpu::SystemPattern> system_pattern(const Pattern& pattern, Symmetry symmetry,
                                                         const Analysis& analysis, bool transposed);

/// op(matrix of the factors), whose pattern the caller has. Refers to matrix and analysis. Cost: O(n), by parallel_for.
template <class T>
gpu::SystemByRows<T> system_by_rows(const FactorsState<T>& state, Operation op,
                                    std::shared_ptr<const gpu::SystemPattern> pattern, const ParallelFor& parallel_for);

}  // namespace frond::detail
