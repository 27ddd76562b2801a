// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace frond::bench {

/// Solves A x = b, b = A x for a known x, with the options of the text ("" for none). The object has
/// name, rows, entries, zero_diagonals; kind, status, seconds of analysis, factorization and solve; what
/// pivoting did (perturbed, delayed, second_pass, two_by_two, null_pivots, largest_l, factor_entries,
/// predicted_entries, inertia); what expected_facts.hpp adds; reciprocal_condition; refinement_steps,
/// krylov_iterations, solve_status, both backward errors; or "not_square", "not_built", or error. A number
/// that is not finite is null once it was written.
nlohmann::json solve_file(const std::string& path, const std::string& options);

/// What the backward errors of a solution must be.
struct Bounds {
    double componentwise = 1e-12;
    double normwise = 1e-13;
    double largest_entries = 1e7;
};

/// solved: both errors within their bounds; reported: not so, but the status of the factors is not success
/// or the solve is not converged; WRONG: neither, or null pivots or inertia are not those expected; FAILED:
/// an error; skipped: not square or too large.
std::string verdict(const nlohmann::json& result, const Bounds& bounds);

/// Absent or null: infinite.
double number(const nlohmann::json& result, const char* key);

/// Reciprocal condition at most 10 n eps, or factors that are singular.
bool numerically_singular(const nlohmann::json& result);

}  // namespace frond::bench
