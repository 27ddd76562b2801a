// SPDX-License-Identifier: BSD-3-Clause
// The analysis of a matrix in row blocks, of which no rank has the whole.
#pragma once

#include <memory>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "ranked/distributed/entry_route.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {

/// This rank's part, as of local_analysis, and what all ranks know of the others.
struct AnalysisOfRanks {
    std::shared_ptr<const Analysis> part;
    std::shared_ptr<const RankMapping> mapping;
    std::shared_ptr<const EntryRoute> route;
    std::shared_ptr<const BlockPattern> pattern;  // that it is of; set by who keeps it
};

/// What the values say of the matrix.
struct MatrixFacts {
    Factorization kind = Factorization::lu;  // never automatic
    bool positive_diagonal = false;
};

/// Orders by PT-Scotch, finds the tree with all ranks, gives each its subtrees, and sends each the rows and the
/// positions of entries that it needs. Beside these a rank needs some 60 bytes a column, and its rows of the graph.
/// Nothing is matched. The same tree comes out as of one process with the same order, but for leaves that are merged
/// there. Collective.
/// @throws InvalidArgument  the plug-in has no PT-Scotch, or the options ask for what needs the whole matrix
AnalysisOfRanks analyze_by_ranks(Communicator& ranks, const BlockPattern& pattern, const MatrixFacts& facts,
                                 const AnalysisOptions& options, const RankMachine& machine, count_t scalar_bytes);

}  // namespace frond::detail
