// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ranks/communicator.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {

/// The graph of A + A^T as the ranks have its rows: each the vertices of its row block, all of weight 1. Neighbours ascend.
/// Collective.
GraphPart graph_of_rows(Communicator& ranks, const BlockPattern& a);

}  // namespace frond::detail
