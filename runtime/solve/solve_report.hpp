// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/solver.hpp"
#include "refinement/refine.hpp"

namespace frond::detail {

/// Takes the lists over: where no memory is left, X has its report all the same.
template <class T>
void fill_report(SolveReport& report, RefinementReport&& refined, const SolveOptions& options);

/// As the options of a solve ask for.
template <class T>
RefinementOptions refinement_options(const SolveOptions& options);

}  // namespace frond::detail
