// SPDX-License-Identifier: BSD-3-Clause
// Test cases that need what not every machine has. They are in a suite of their own, which test_main.cpp leaves out
// where the requirement is not met: doctest then counts them as skipped, and a run of which nothing else is left ends
// with a status that CTest takes for skipped.
#pragma once

#include <vector>

namespace frond::test {

struct Requirement {
    const char* suite;  // what is needed, in words, without a comma
    bool (*is_met)();
};

/// The requirements of this program.
inline std::vector<Requirement>& requirements() {
    static std::vector<Requirement> all;
    return all;
}

/// For the initialization of a static variable beside the suite's cases.
inline bool require_for_suite(const char* suite, bool (*is_met)()) {
    requirements().push_back({suite, is_met});
    return true;
}

/// SKIP_RETURN_CODE in tests/CMakeLists.txt.
inline constexpr int all_skipped = 77;

}  // namespace frond::test
