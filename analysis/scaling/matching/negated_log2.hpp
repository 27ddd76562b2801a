// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace frond {

/// cost[e] = -log2(magnitude[e]); +infinity for a zero.
///
/// Error at most 4 eps of the result plus 4 eps; exact for powers of two, so that matrices of such
/// entries (patterns, incidence matrices) have exact ties. Written without branches: it vectorizes.
/// @pre every magnitude is finite and >= 0.
std::vector<double> negated_log2(const std::vector<double>& magnitude);

}  // namespace frond
