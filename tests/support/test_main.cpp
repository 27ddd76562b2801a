// SPDX-License-Identifier: BSD-3-Clause
#define DOCTEST_CONFIG_IMPLEMENT
#include "child_variable.hpp"
#include "possible_cases.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

using namespace frond::test;

int run_as_child(int count, char** arguments) {
    doctest::Context context(count, arguments);
    const int result = context.run();
    if (context.shouldExit() || matched_cases == 1) return result;
    std::fprintf(stderr, "%u test cases match the filter of a child process, which takes one\n", matched_cases);
    return result == 0 ? not_one_case : result;
}

}  // namespace

int main(int count, char** arguments) try {
    const bool is_child = std::getenv(child_variable) != nullptr;
    return is_child ? run_as_child(count, arguments) : run_possible_cases(count, arguments);
} catch (const std::exception& error) {
    std::fprintf(stderr, "the tests could not be run: %s\n", error.what());
    return 1;
}
