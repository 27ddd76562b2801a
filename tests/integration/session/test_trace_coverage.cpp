// SPDX-License-Identifier: BSD-3-Clause
// A trace has a name for nearly all that a factorization with new values, and a solve, take on cores.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "requirement.hpp"
#include "rhs_block.hpp"
#include "session/trace_span.hpp"
#include "shared_session.hpp"
#include "trace_coverage.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

[[maybe_unused]] const bool coverage_suite_is_known = require_for_suite(needs_traces, records_traces);

constexpr int covered_rounds = 10;

}  // namespace

TEST_CASE("child: new values and solves" * doctest::skip()) {
    const SparseMatrix<double> a = poisson3d<double>(30).matrix;
    const Session session(four_workers());
    Solver<double> solver(session);
    solver.analyze(a);
    solver.factor(a);
    const auto b = RhsBlock<double>::random(a.rows(), 1, 31);
    RhsBlock<double> x(a.rows(), 1);
    for (int round = 0; round < covered_rounds; ++round) {
        {
            const detail::TraceSpan span("test of new values");
            solver.factor_values(std::span<const double>(a.value));
        }
        const detail::TraceSpan span("test of a solve");
        CHECK(solver.solve(b.view(), x.view()).status == SolveStatus::converged);
    }
}

TEST_CASE("a trace names 95% of what new values and solves take, beside the tasks" *
          doctest::test_suite(needs_traces)) {
    const TracedChild child("child: new values and solves", 120);
    REQUIRE(child.status() == 0);
    for (const char* name : {"test of new values", "test of a solve"}) {
        CAPTURE(name);
        REQUIRE(spans(child, name).size() == covered_rounds);
        CHECK(best_share(child, name) >= 0.95);
    }
}
