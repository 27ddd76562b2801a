// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dense_problem.hpp"
#include "frond/session.hpp"

namespace frond::cli {

/// The matrix on all ranks: each reads or makes its part, or rank 0 reads all of an array. Collective.
/// @throws what load_dense_problem throws; InvalidMatrix: files of other orders or scalars
DenseProblem load_dense_on_ranks(const Session& session, const CommandLine& line);

}  // namespace frond::cli
