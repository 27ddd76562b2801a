// SPDX-License-Identifier: BSD-3-Clause
// Suites of test cases that show nothing without a device, or with one (support/requirement.hpp). The names of those that
// need a device begin with "a device": tests/CMakeLists.txt takes them together.
#pragma once

#include "scalar_lists.hpp"

#include <doctest/doctest.h>

namespace frond::test {

/// Any one, also that which the host plays (codelets/emulated).
inline constexpr const char* needs_device = "a device";
/// What a session does where it has one device alone, such as pieces on cores beside it.
inline constexpr const char* needs_one_device = "a device that is the only one";
/// What StarPU or the vendor's runtime does with a card.
inline constexpr const char* needs_card = "a device that is a card";
/// Work that takes too long where the host plays the device.
inline constexpr const char* needs_quick_device = "a device that is quick";
/// On a device where there is one, and else on cores, where it shows something, too.
inline constexpr const char* wherever = "cores or a device";
inline constexpr const char* needs_no_device = "a session without devices";
/// Drivers log a fault, and under MPS it ends other processes, too.
inline constexpr const char* needs_faults = "a device that may fault (FROND_TEST_FAULTS)";

}  // namespace frond::test

/// check<T>() as a case of each scalar of a list. They take long where the host plays the device, which does one of them.
#define FROND_LONG_DEVICE_CASES(name, check, List)                                                                 \
    TEST_CASE_TEMPLATE_DEFINE(name* doctest::test_suite(needs_device), T, check##_of_one) { check<T>(); }          \
    TEST_CASE_TEMPLATE_APPLY(check##_of_one, OneScalar<List>);                                                     \
    TEST_CASE_TEMPLATE_DEFINE(name* doctest::test_suite(needs_quick_device), T, check##_of_others) { check<T>(); } \
    TEST_CASE_TEMPLATE_APPLY(check##_of_others, OtherScalars<List>)
