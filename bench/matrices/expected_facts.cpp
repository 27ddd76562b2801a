// SPDX-License-Identifier: BSD-3-Clause
#include "expected_facts.hpp"

#include "clear_inertia.hpp"
#include "exact_rank.hpp"
#include "known_ranks.hpp"
#include "peer_inertia.hpp"
#include "solve_file.hpp"

#include <string>
#include <vector>

namespace frond::bench {

using nlohmann::json;

void add_expected_facts(const SparseMatrix<double>& a, json& r) {
    constexpr double most_operations = 1e9;
    std::vector<std::string> ways;
    if (const auto published = test::known_nullity(r["name"].get<std::string>())) {
        r["expected_nullity"] = *published;
        ways.push_back("published rank");
    } else if (const auto rank = test::exact_rank(a, most_operations)) {
        r["expected_nullity"] = a.rows() - *rank;
        ways.push_back("exact rank");
    }
    if (const auto inertia = test::clear_inertia(a)) {
        r["expected_inertia"] = {inertia->negative, inertia->zero, inertia->positive};
        ways.push_back("eigenvalues");
    }
    // For a numerically singular matrix rounding decides the sign of the smallest pivots.
    if (r.contains("inertia") && !numerically_singular(r))
        if (const auto negative = negative_by_mumps(a)) {
            r["expected_negative"] = *negative;
            ways.push_back("MUMPS");
        }
    for (const std::string& way : ways)
        r["checked_by"] = r.value("checked_by", "") + (r.contains("checked_by") ? ", " : "") + way;
}

bool facts_differ(const json& r) {
    if (!r.contains("null_pivots") || r["perturbed"].get<count_t>() > 0) return false;
    const auto differs = [&](const char* expected, const char* found) {
        return r.contains(expected) && r.contains(found) && r[expected] != r[found];
    };
    return differs("expected_nullity", "null_pivots") || differs("expected_inertia", "inertia") ||
           (r.contains("expected_negative") && r["expected_negative"] != r["inertia"][0]);
}

}  // namespace frond::bench
