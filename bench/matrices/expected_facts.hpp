// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::bench {

/// Adds what is known of a real square matrix in other ways: expected_nullity by exact elimination of
/// integers or as published and expected_inertia from all eigenvalues where they are few and clear, each only
/// where it takes no more than about a second; expected_negative by MUMPS where the matrix is not numerically
/// singular. "checked_by" names the ways.
void add_expected_facts(const SparseMatrix<double>& a, nlohmann::json& result);

/// Null pivots or inertia differ from those expected. Only factors with every pivot as it is are judged.
bool facts_differ(const nlohmann::json& result);

}  // namespace frond::bench
