// SPDX-License-Identifier: BSD-3-Clause
// Whatever allocation fails, on whatever thread, the error is std::bad_alloc or OutOfMemory and
// nothing stays behind. What METIS, Scotch and AMD allocate is theirs and does not fail here.
#include "failing_allocations.hpp"
#include "frond/analysis/steps.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class Body>
void check_faults(long least_failures, Body&& body) {
    const FaultReport report = fail_every_allocation(body);
    CHECK(report.failures >= least_failures);
    CHECK(report.leaked == 0);
}

}  // namespace

TEST_CASE("compression and the methods") {
    const Pattern graph = grid_graph(5, 4, 4, 3, true);
    std::vector<index_t> partner(240), weight(240, 1);
    for (index_t v = 0; v < 240; ++v) partner[v] = v ^ 1;
    check_faults(10, [&] { compress_graph(graph, partner); });
    for (index_t v = 0; v < 240; ++v) weight[v] = 1 + v % 2;
    check_faults(6, [&] { approximate_minimum_degree(graph, weight); });
    check_faults(6, [&] { metis_nested_dissection(graph, weight); });
    check_faults(6, [&] { scotch_nested_dissection(graph, weight); });
    check_faults(1, [&] { geometric_nested_dissection({4, 4, 4}, 1); });
}

TEST_CASE("our dissection, on one and on several threads") {
    const Pattern graph = grid_graph(7, 7, 7);
    const std::vector<index_t> weight(343, 1);
    for (const index_t threads : {1, 3}) check_faults(50, [&] { nested_dissection(graph, weight, threads); });
}

TEST_CASE("the choice among several candidates") {
    const Pattern graph = grid_graph(22, 22, 22, 1, true);
    AnalysisOptions options;
    options.threads = 2;
    for (const long k : {0, 3, 10, 20, 30, 45, 60, 80, 150, 400}) {
        const long before = live_allocations;
        bool failed = false;
        try {
            const FailingAllocations armed(k);
            choose_ordering(graph, {}, Factorization::lu, options);
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        CHECK(failed);
        CHECK(live_allocations == before);
    }
}
