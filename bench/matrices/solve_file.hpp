// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace frond::bench {

/// Solves A x = b, b = A x for a known x, with no option given. The object has name, rows, entries,
/// kind, status, seconds of analysis, factorization and solve, perturbed, refinement_steps,
/// krylov_iterations, both backward errors, structural_rank; or "not_square", or error.
nlohmann::json solve_file(const std::string& path);

/// solved: componentwise error at most `bound`; reported: worse, but the status says perturbed or
/// singular; WRONG: worse with status success; FAILED: an error; skipped: not square or too large.
std::string verdict(const nlohmann::json& result, double bound, double largest_entries);

}  // namespace frond::bench
