// SPDX-License-Identifier: BSD-3-Clause
// What the analysis and the scaling ask of a dense matrix that several ranks have.
#pragma once

#include "system/dense_parts/dense_parts.hpp"
#include "frond/analysis/dense_steps.hpp"

namespace frond::detail {

/// Each is collective, and the same on all ranks but for the diagonal, which is on rank 0 alone.

/// The diagonal as stored, [n].
template <class T>
std::vector<T> diagonal_of_parts(Communicator& ranks, const DensePart<T>& a);
/// See frond::may_be_definite.
template <class T>
bool parts_may_be_definite(Communicator& ranks, const DensePart<T>& a, const std::vector<double>& root);
/// See frond::dense_maxima. @throws InvalidMatrix  on all ranks, naming an entry that is NaN or Inf
template <class T>
DenseMaxima maxima_of_parts(Communicator& ranks, const DensePart<T>& a, const Scaling& scaling);

}  // namespace frond::detail
