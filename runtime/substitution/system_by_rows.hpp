// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"
#include "frond/gpu/resident_solve.hpp"

namespace frond::detail {

/// The pattern of A, or of its transpose; the same whatever runs the chunks. Cost: O(entries + 8 n), by parallel_for; 4
/// bytes a row and chunk, of which there are 8 at most, meanwhile.
std::shared_ptr<const gpu::SystemPattern> system_pattern(const Pattern& pattern, Symmetry symmetry,
                                                         const Analysis& analysis, bool transposed,
                                                         const ParallelFor& parallel_for);

/// op(matrix of the factors), whose pattern the caller has. Refers to matrix and analysis. Cost: O(n), by parallel_for.
template <class T>
gpu::SystemByRows<T> system_by_rows(const FactorsState<T>& state, Operation op,
                                    std::shared_ptr<const gpu::SystemPattern> pattern, const ParallelFor& parallel_for);

}  // namespace frond::detail
