// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/options.hpp"

namespace frond {

/// The machine that times are predicted for: that of the options, rounded to powers of two, with
/// the rates of an ordinary core where they are not given; always the same one with
/// `deterministic`. Throws InvalidArgument for what is negative or not finite.
MachineDescription machine_to_order_for(const AnalysisOptions& options);

}  // namespace frond
