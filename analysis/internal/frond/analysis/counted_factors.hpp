// SPDX-License-Identifier: BSD-3-Clause
// What is known of the factors before the analysis is done.
#pragma once

#include <functional>

#include "frond/analysis/analysis.hpp"

namespace frond {

/// At least, since fronts that are merged later have more.
struct CountedFactors {
    count_t entries = 0;
    index_t largest_front = 0;
};

/// analyze(), which tells so much once the vertices are ordered.
template <class T>
AnalysisResult analyze_and_tell(const SparseMatrix<T>& a, const AnalysisOptions& options,
                                const std::function<void(const CountedFactors&)>& tell);

}  // namespace frond
