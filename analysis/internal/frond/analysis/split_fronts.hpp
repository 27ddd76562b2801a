// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "frond/analysis/analysis.hpp"
#include "frond/base/parallel_for.hpp"

namespace frond {

/// An analysis of the same matrix, in the same order, in which large fronts are chains: each part eliminates some of the
/// columns, and the next one is its parent. columns: how many the next part of a front has, from 1 to npiv, which is the
/// last part then; one more or less where a pair would be torn apart.
///
/// O(rows of all fronts + entries of A). Thread safe. Throws InvalidArgument.
Analysis split_fronts(const Analysis& analysis, const std::function<index_t(index_t npiv, index_t nfront)>& columns,
                      const ParallelFor& parallel_for = {});

}  // namespace frond
