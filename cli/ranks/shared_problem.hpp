// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run/problem.hpp"
#include "frond/session.hpp"

namespace frond::cli {

/// The matrix on all ranks: rank 0 reads it, and the others have none of its entries; by_rank: each reads its file.
/// Collective. line: of this rank. @throws what load_problem throws; InvalidMatrix: files of other orders or scalars
Problem load_on_ranks(const Session& session, const CommandLine& line, bool by_rank);

/// Rows of X on this rank: as those of B, or where X alone is by rank, about equally many.
index_t solution_rows(const CommandLine& line, const SessionInfo& session, index_t n, index_t rhs_rows);

/// B on all ranks: rank 0 has all of it, or, by_rank, each rank has some rows. Collective.
/// count, complex_pairs := those of rank 0.
template <class T>
void share_shape(const Session& session, RightHandSides<T>& rhs);

}  // namespace frond::cli
