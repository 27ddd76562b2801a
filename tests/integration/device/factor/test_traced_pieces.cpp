// SPDX-License-Identifier: BSD-3-Clause
// A trace shows what is inside a piece on a device: its levels, timed there.
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "requirement.hpp"
#include "rhs_block.hpp"
#include "session/trace_span.hpp"
#include "trace_coverage.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <numeric>

using namespace frond;
using namespace frond::test;

namespace {

[[maybe_unused]] const bool traced_suite_is_known =
    require_for_suite("a device and traces", [] { return has_device() && records_traces(); }) &&
    require_for_suite("a device without traces", [] { return has_device() && !StarpuStart::is_traced(); });

constexpr index_t side = 6;
constexpr int traced_rounds = 5;
const Kind traced_kind{Factorization::llt, Symmetry::symmetric, 6.5};

Factors<double> factored_twice() {
    const SparseMatrix<double> a = grid<double>(side, traced_kind);
    static_cast<void>(factored(a, traced_kind.factorization, {"", 40, 60}, FactorPlace::device));
    return factored(a, traced_kind.factorization, {"", 40, 60}, FactorPlace::device);
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

TEST_CASE("child: a piece and a solve" * doctest::skip()) {
    const Factors<double> factors = factored_twice();
    CHECK(factors.report().place.on_device);
    CHECK(sum(factors.report().work.front_seconds) > 0);
    const auto b = RhsBlock<double>::random(side * side * side, 3, 31);
    RhsBlock<double> x(side * side * side, 3);
    SolveOptions options;
    options.place = SolvePlace::device;
    CHECK(solve(factors, b.view(), x.view(), options).on_device);
}

TEST_CASE("traced pieces of a tree on the device show their levels" * doctest::test_suite("a device and traces")) {
    const TracedChild child("child: a piece and a solve", 300);
    REQUIRE(child.status() == 0);
    const std::vector<std::string> names = names_of(child.tasks());
    CHECK(names == child.submitted());
    const auto count = [](const std::vector<std::string>& texts, const std::string& begin) {
        return std::count_if(texts.begin(), texts.end(), [&](const auto& text) { return text.starts_with(begin); });
    };
    CHECK(count(names, "factor_piece piece 0 fronts 0-") == 2);
    CHECK(count(names, "prepare_solve") >= 1);
    CHECK(count(names, "solve_piece rhs 3") == 1);
    const std::vector<std::string> events = child.events();
    const bool has_emulated_device = gpu::vendor_of_build() == DeviceVendor::emulated;
    int deepest = -1, fronts = 0, last_front = 0;
    for (const std::string& event : events) {
        int level = 0, number = 0;
        double begin = 0, microseconds = 0;
        if (std::sscanf(event.c_str(), "piece 0 level %d fronts %d begin_us %lf us %lf", &level, &number, &begin,
                        &microseconds) != 4)
            continue;
        CHECK((has_emulated_device ? microseconds == 1000 : microseconds > 0));
        deepest = std::max(deepest, level);
        fronts += number;
    }
    const auto name = std::find_if(names.begin(), names.end(), [](const auto& n) { return n.starts_with("factor_p"); });
    REQUIRE(std::sscanf(name->c_str(), "factor_piece piece 0 fronts 0-%d", &last_front) == 1);
    CHECK(deepest > 0);
    CHECK(fronts == 2 * (last_front + 1));
    CHECK(count(events, "piece 0 level 0 ") == 2);
    CHECK(count(events, "solve begins") == 1);
}

TEST_CASE("child: new values and solves on the device" * doctest::skip()) {
    // A card has less to do for a small tree than the host.
    const index_t traced_side = gpu::vendor_of_build() == DeviceVendor::emulated ? side : 40;
    const SparseMatrix<double> a = grid<double>(traced_side, traced_kind);
    AnalysisOptions analysis;
    analysis.factorization = traced_kind.factorization;
    Solver<double> solver(device_session(), analysis);
    solver.analyze(a);
    FactorOptions on_device;
    on_device.place = FactorPlace::device;
    solver.factor(a, on_device);
    const auto b = RhsBlock<double>::random(a.rows(), 3, 31);
    RhsBlock<double> x(a.rows(), 3);
    SolveOptions solve_there;
    solve_there.place = SolvePlace::device;
    for (int round = 0; round < traced_rounds; ++round) {
        {
            const detail::TraceSpan span("test of new values");
            CHECK(solver.factor_values(std::span<const double>(a.value), on_device).place.on_device);
        }
        const detail::TraceSpan span("test of a solve");
        CHECK(solver.solve(b.view(), x.view(), solve_there).on_device);
    }
}

TEST_CASE("traced pieces and solves have names for 95% of their time, beside the tasks" *
          doctest::test_suite("a device and traces")) {
    const TracedChild child("child: new values and solves on the device", 300);
    REQUIRE(child.status() == 0);
    for (const char* name : {"test of new values", "test of a solve"}) {
        CAPTURE(name);
        REQUIRE(spans(child, name).size() == traced_rounds);
        CHECK(best_share(child, name) >= 0.95);
    }
}

TEST_CASE("fronts of a piece have no times without a trace" * doctest::test_suite("a device without traces")) {
    CHECK(sum(factored_twice().report().work.front_seconds) == 0);
}
