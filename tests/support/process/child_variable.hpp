// SPDX-License-Identifier: BSD-3-Clause
// How test_main.cpp knows that it is a child of run_case_in_child.
#pragma once

namespace frond::test {

/// Set in children, which end with this status unless one test case matches their filter.
inline constexpr const char* child_variable = "FROND_TEST_CHILD";
inline constexpr int not_one_case = 125;

}  // namespace frond::test
