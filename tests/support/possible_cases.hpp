// SPDX-License-Identifier: BSD-3-Clause
// The cases of a program that are possible where it runs: suites whose requirement is not met (requirement.hpp) are left
// out, and their cases counted. For the source of main(), which has DOCTEST_CONFIG_IMPLEMENT.
#pragma once

#include "requirement.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <sstream>
#include <vector>

namespace frond::test {

/// Cases of the last run that pass its filters. For a filter that matches nothing doctest ends well.
inline unsigned matched_cases = 0;

struct CountMatched final : doctest::IReporter {
    explicit CountMatched(const doctest::ContextOptions&) {}
    void test_run_end(const doctest::TestRunStats& run) override { matched_cases = run.numTestCasesPassingFilters; }
    void report_query(const doctest::QueryData& query) override {
        if (query.run_stats != nullptr) matched_cases = query.run_stats->numTestCasesPassingFilters;
    }

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

/// Cases that the command line asks for, whatever they need.
inline unsigned count_asked_for(int count, char** arguments) {
    std::ostringstream unread;
    std::vector<const char*> with_count(arguments, arguments + count);
    with_count.push_back("--count");  // doctest takes flags from the command line alone
    doctest::Context query(static_cast<int>(with_count.size()), with_count.data());
    query.setCout(&unread);
    query.run();
    return matched_cases;
}

/// Leaves out the suites whose requirement is not met, and says which.
inline bool leave_out_suites(doctest::Context& context) {
    bool any = false;
    for (const Requirement& requirement : requirements()) {
        if (requirement.is_met()) continue;
        context.addFilter("test-suite-exclude", requirement.suite);
        std::printf("left out: the cases that need %s\n", requirement.suite);
        any = true;
    }
    return any;
}

/// The status of the program: all_skipped where cases were asked for and none is possible.
inline int run_possible_cases(int count, char** arguments) {
    doctest::Context context(count, arguments);
    if (!leave_out_suites(context)) return context.run();
    const unsigned asked_for = count_asked_for(count, arguments);
    const int result = context.run();
    if (asked_for > matched_cases)
        std::printf("%u of %u test cases skipped for want of what they need\n", asked_for - matched_cases, asked_for);
    return result == 0 && matched_cases == 0 && asked_for > 0 ? all_skipped : result;
}

}  // namespace frond::test

REGISTER_LISTENER("matched", 1, frond::test::CountMatched);
