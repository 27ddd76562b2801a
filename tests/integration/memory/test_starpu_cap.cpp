// SPDX-License-Identifier: BSD-3-Clause
// StarPU caps the host memory it manages; data above the cap made it wait for ever. Frond's memory is
// its own, so that neither the cap nor its default (what hwloc reports) matters.
#include "child_process.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

TEST_CASE("child: more factors than the cap of 20 MB" * doctest::skip()) {
    AnalysisOptions options;
    options.tile_size = 128;
    options.workers = 4;
    const auto a = convdiff3d<double>(28).matrix;
    Solver<double> solver(Session(four_workers()), options);
    const FactorReport report = solver.factor(a);
    CHECK(report.memory.factor_bytes > 40'000'000);
    CHECK(solver.analysis()->mapping.grids.size() > 2);
    CHECK(solved_rightly(solver, a));
}

TEST_CASE("more host memory than StarPU's cap: completes") {
    CHECK(run_case_in_child("child: more factors than the cap of 20 MB", {{"STARPU_LIMIT_CPU_MEM", "20"}}, 120) == 0);
    CHECK(run_case_in_child("child: more factors than the cap of 20 MB",
                            {{"STARPU_LIMIT_CPU_MEM", "1"}, {"STARPU_LIMIT_CPU_NUMA_MEM", "1"}}, 120) == 0);
}
