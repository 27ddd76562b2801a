// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/option_table.hpp"
#include "ranks/collectively.hpp"

namespace frond::detail {

/// The options of a phase as text, in the order of the table: what the ranks must agree on. Left out are memory budgets,
/// which belong to each rank's machine.
NamedValues option_values(const Options& options, OptionPhase phase);

}  // namespace frond::detail
