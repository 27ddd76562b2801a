// SPDX-License-Identifier: BSD-3-Clause
#include "frond/enum_text.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace frond;

TEST_CASE_TEMPLATE("names of enumerations are unique and read back", E, Symmetry, Factorization, Operation, Layout,
                   Triangle, OrderingMethod, MatchingMode, DistributedAnalysis, ScalingMethod, Pivoting, StaleMatching,
                   NullPivots, SolvePart, Krylov, SolvePlace, FactorPlace, FactorStatus, SolveStatus, DeviceVendor) {
    std::set<std::string> names;
    int position = 0;
    for (const EnumName<E>& entry : enum_names<E>()) {
        CHECK(static_cast<int>(entry.value) == position++);  // the table has the enumeration's order
        CHECK(names.insert(entry.name).second);
        CHECK(std::string(entry.text).size() > 2);
        CHECK(std::string(to_string(entry.value)) == entry.name);
        CHECK(from_string<E>(entry.name) == entry.value);
    }
    // Values outside the enumeration, as from a wrong cast, do not crash.
    CHECK(std::string(to_string(static_cast<E>(position))) == "unknown");
    CHECK(!from_string<E>("no such name"));
}
