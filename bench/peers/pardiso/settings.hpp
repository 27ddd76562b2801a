// SPDX-License-Identifier: BSD-3-Clause
// Settings of PARDISO by name, as in the solver PARDISO:matching=1:scaling=1.
#pragma once

#include <array>
#include <mkl_types.h>
#include <string>

namespace frond::bench {

using PardisoParameters = std::array<MKL_INT, 64>;  // iparm(k) at k - 1

/// Puts KEY=VALUE:KEY=VALUE into iparm. Keys: ordering, refine, perturbation, scaling, matching,
/// pivoting, factorization, solve (see settings.cpp), or iparmK.
/// @throws std::runtime_error  an unknown key, or a value that is no whole number
void apply_pardiso_settings(const std::string& text, PardisoParameters& iparm);

/// "ordering=2 refine=0 ...": all of the keys as they are in force.
std::string pardiso_settings_text(const PardisoParameters& iparm);

}  // namespace frond::bench
