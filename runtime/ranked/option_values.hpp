// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/option_table.hpp"
#include "ranks/collectively.hpp"

namespace frond::detail {

/// The options of a phase as text, in the order of the table: what the ranks must agree on. Left out are memory budgets,
/// which belong to each rank's machine.
NamedValues option_values(const Options& options, OptionPhase phase);

/// Of an analysis also what is not in that table: user_order (a hash), machine and tree_cut.
NamedValues analysis_values(const AnalysisOptions& options);

/// Collective: what of rank 0's options is in the table.
AnalysisOptions analysis_options_of_rank_0(Communicator& ranks, const AnalysisOptions& options);

}  // namespace frond::detail
