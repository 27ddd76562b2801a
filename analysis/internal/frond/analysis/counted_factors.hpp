// SPDX-License-Identifier: BSD-3-Clause
// What is known of the factors before the analysis is done.
#pragma once

#include <functional>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/steps.hpp"

namespace frond {

/// Entries of the factors, at least: fronts that are merged later have more.
count_t counted_entries(const CountedTree& tree, Factorization kind);
/// The most entries that a front and its children have together, as squares; of fundamental supernodes, which have less than
/// the fronts that they become.
count_t counted_squares(const CountedTree& tree);

/// analyze(), which calls observe once the vertices are ordered, with the elimination tree and the kind.
template <class T>
AnalysisResult analyze_observed(const SparseMatrix<T>& a, const AnalysisOptions& options,
                                const std::function<void(const CountedTree&, Factorization)>& observe);

}  // namespace frond
