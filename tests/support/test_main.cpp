// SPDX-License-Identifier: BSD-3-Clause
#define DOCTEST_CONFIG_IMPLEMENT
#include "child_variable.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

namespace {

unsigned matched_cases = 0;

/// For a filter that matches nothing doctest ends well.
struct CountMatched final : doctest::IReporter {
    explicit CountMatched(const doctest::ContextOptions&) {}
    void test_run_end(const doctest::TestRunStats& run) override { matched_cases = run.numTestCasesPassingFilters; }

    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

}  // namespace

REGISTER_LISTENER("matched", 1, CountMatched);

int main(int count, char** arguments) {
    doctest::Context context(count, arguments);
    const int result = context.run();
    if (context.shouldExit() || std::getenv(frond::test::child_variable) == nullptr || matched_cases == 1)
        return result;
    std::fprintf(stderr, "%u test cases match the filter of a child process, which takes one\n", matched_cases);
    return result == 0 ? frond::test::not_one_case : result;
}
