// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "frond/option_table.hpp"
#include "ranks/collectively.hpp"

namespace frond::detail {

/// The options of a phase as text, in the order of the table: what the ranks must agree on. Left out are memory budgets,
/// which belong to each rank's machine.
NamedValues option_values(const Options& options, OptionPhase phase);

/// The values of an analysis; in addition machine and tree_cut, which are not in that table.
NamedValues analysis_values(const AnalysisOptions& options);

/// Collective. An order may be given on any rank, and is rank 0's: others may leave it out.
/// @throws InvalidArgument  on all ranks, where they differ
void expect_order_of_rank_0(Communicator& ranks, std::span<const index_t> order);

/// Collective: what of rank 0's options is in the table.
AnalysisOptions analysis_options_of_rank_0(Communicator& ranks, const AnalysisOptions& options);

}  // namespace frond::detail
