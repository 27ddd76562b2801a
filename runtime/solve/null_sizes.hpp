// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"

#include <atomic>
#include <limits>

namespace frond::detail {

/// What singular factors left of their null columns, computed anew from A: sizes of entries of the
/// scaled matrix.
struct NullSizes {
    index_t explained = 0;  // null columns, at least, that are null whatever the others are
    double largest_rounding = 0;  // of entries that rounding explains
    double smallest_regular = std::numeric_limits<double>::infinity();  // of the others; infinite: there are none
};

inline constexpr index_t most_null_vectors = 8;

/// With null columns C and rows R, S = Y^H A X is what is left of A there, X and Y the null vectors of A without the rows
/// R and the columns C. A X is summed with twice the digits, so that S is that of the given A: errors of X and Y count by
/// their product. What of S may be rounding of A, says NullResiduals. Scaling changes neither side (compare Higham 2002,
/// section 7.2: the componentwise distance to a singular matrix). If there are more than 8 null columns, 8 sums with random
/// signs are tried. Cost: two solves with 8 columns at most; two with 16 rows at most. Fewer where bound_bytes do not hold
/// the vectors (state.solve_bytes->null_sizes). The session must be inside a job.
/// @throws MemoryBudgetExceeded where they do not hold those of one column
template <class T>
NullSizes null_sizes(const FactorsState<T>& state, count_t bound_bytes, const std::atomic<bool>* cancel);

/// Regular factors: whether rounding explains that A is regular, of the vectors that A and A^H shrink most (three steps of
/// the inverse power method). Five solves. The session must be inside a job.
template <class T>
bool has_hidden_null_vector(const FactorsState<T>& state, const std::atomic<bool>* cancel);

}  // namespace frond::detail
