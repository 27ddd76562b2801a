// SPDX-License-Identifier: BSD-3-Clause
// Memory of factors that are replaced, on every rank.
#include <algorithm>

#include "dealt_system.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "shared_always.hpp"

using namespace frond;
using namespace frond::test;

namespace {

void check_pages(const SomeRanks& ranks) {
    const SparseMatrix<double> a = convdiff3d<double>(25).matrix;  // two sets of factors are more than are kept
    const auto part = dealt(a, ranks);
    AnalysisOptions options;
    options.factorization = Factorization::lu;
    Solver<double> solver(ranks.session(), options);
    solver.factor(part.view());
    count_t new_bytes = HostHeap::no_limit;
    // A block of the other rank that comes late may make the heap give one hole of some MiB back (see take() of
    // HostHeap), in one run or another. Pages that do not stay are missing in every run, all of them.
    for (int run = 0; run < 3; ++run) {
        const count_t before = host_heap().new_bytes();
        solver.factor_values(part.value);
        new_bytes = std::min(new_bytes, host_heap().new_bytes() - before);
    }
    const auto mine = solver.rank_reports()[static_cast<std::size_t>(ranks.rank())];
    REQUIRE(mine.factor_bytes > count_t{8} << 20);  // with less, pages are kept in any case
    CHECK(new_bytes < mine.factor_bytes / 4);
}

}  // namespace

TEST_SUITE_BEGIN(needs_several_ranks);

TEST_CASE("factors of new values take the pages of the earlier ones on every rank") {
    const SharedAlways shared;
    const SomeRanks ranks(2);
    if (ranks.here()) check_pages(ranks);
}

TEST_SUITE_END();
