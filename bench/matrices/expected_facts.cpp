// SPDX-License-Identifier: BSD-3-Clause
#include "expected_facts.hpp"

#include "clear_inertia.hpp"
#include "exact_rank.hpp"
#include "known_ranks.hpp"

namespace frond::bench {

using nlohmann::json;

void add_expected_facts(const SparseMatrix<double>& a, json& r) {
    constexpr double most_operations = 1e9;
    if (const auto published = test::known_nullity(r["name"].get<std::string>()))
        r["expected_nullity"] = *published;
    else if (const auto rank = test::exact_rank(a, most_operations))
        r["expected_nullity"] = a.rows() - *rank;
    if (const auto inertia = test::clear_inertia(a))
        r["expected_inertia"] = {inertia->negative, inertia->zero, inertia->positive};
}

bool facts_differ(const json& r) {
    if (!r.contains("null_pivots") || r["perturbed"].get<count_t>() > 0) return false;
    const auto differs = [&](const char* expected, const char* found) {
        return r.contains(expected) && r.contains(found) && r[expected] != r[found];
    };
    return differs("expected_nullity", "null_pivots") || differs("expected_inertia", "inertia");
}

}  // namespace frond::bench
