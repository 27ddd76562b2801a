// SPDX-License-Identifier: BSD-3-Clause
// The memory budget: refused before any work, kept to, and given back.
#include "factors/state_of.hpp"
#include "forced_mapping.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "memory/predict_peak.hpp"
#include "session/session_state.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

struct Problem {
    const char* name;
    SparseMatrix<double> matrix;
    Factorization kind;
};

std::vector<Problem> problems() {
    return {{"L L^T", poisson3d<double>(11).matrix, Factorization::llt},
            {"L D L^T", kkt<double>(7).matrix, Factorization::ldlt},
            {"LU", convdiff3d<double>(10).matrix, Factorization::lu}};
}

const ForcedMapping mappings[] = {{"one subtree", 64, 1 << 20},
                                  {"tiles above subtrees", 32, 100},
                                  {"all on tiles", 32, 0}};

struct Mapped {
    std::shared_ptr<const Analysis> analysis;
    Scaling scaling;
    detail::PeakPrediction predicted;
};

Mapped mapped(const Problem& problem, const ForcedMapping& mapping) {
    AnalysisOptions options;
    options.factorization = problem.kind;
    AnalysisResult result = analyze(problem.matrix, options);
    const auto analysis = remapped(*result.analysis, mapping);
    return {analysis, result.scaling,
            detail::predict_peak<double>(*analysis, detail::state_of(shared_session())->cpu_workers())};
}

/// Blocks of the heap are whole pages: one a subtree, one a tile.
count_t rounding_of_blocks(const Analysis& analysis) {
    count_t blocks = static_cast<count_t>(analysis.mapping.subtrees.size());
    for (const TileGrid& grid : analysis.mapping.grids) blocks += static_cast<count_t>(grid.tiles()) * grid.tiles();
    return 4096 * blocks;
}

Factors<double> factored(const Problem& problem, const Mapped& m, const FactorOptions& options) {
    return factorize(shared_session(), m.analysis, problem.matrix, options, &m.scaling);
}

}  // namespace

TEST_CASE("a budget that is too small is refused before any work, with both numbers") {
    const Watchdog watchdog(60);
    for (const Problem& problem : problems())
        for (const ForcedMapping& mapping : mappings) {
            CAPTURE(problem.name);
            CAPTURE(mapping.name);
            const Mapped m = mapped(problem, mapping);
            const count_t needed = m.predicted.sequential_bytes;
            int progress_calls = 0;
            FactorOptions options;
            options.progress = [&](const Progress&) { ++progress_calls; };
            for (const count_t budget : {count_t{1}, needed / 2, needed - 1}) {
                options.memory_budget_bytes = budget;
                bool refused = false;
                try {
                    factored(problem, m, options);
                } catch (const MemoryBudgetExceeded& error) {
                    refused = true;
                    CHECK(error.needed_bytes() == needed);
                    CHECK(error.budget_bytes() == budget);
                    const std::string text = error.what();
                    CHECK(text.find(std::to_string(needed)) != std::string::npos);
                    CHECK(text.find(std::to_string(budget)) != std::string::npos);
                }
                CHECK(refused);
            }
            CHECK(progress_calls == 0);
            CHECK(host_heap().used_bytes() == 0);
        }
}

TEST_CASE("the sequential peak is enough, and is kept to") {
    const Watchdog watchdog(120);
    for (const Problem& problem : problems())
        for (const ForcedMapping& mapping : mappings) {
            CAPTURE(problem.name);
            CAPTURE(mapping.name);
            const Mapped m = mapped(problem, mapping);
            FactorOptions options;
            options.memory_budget_bytes = m.predicted.sequential_bytes;
            const FactorReport report = factored(problem, m, options).report();
            CHECK(report.status == FactorStatus::success);
            CHECK(report.memory.peak_bytes <= options.memory_budget_bytes);
            CHECK(report.memory.peak_bytes_predicted == options.memory_budget_bytes);
            CHECK(report.memory.peak_bytes > report.memory.factor_bytes);
            CHECK(report.memory.factor_bytes == m.predicted.factor_bytes);
        }
}

TEST_CASE("without a budget the prediction for parallel work is kept to") {
    for (const Problem& problem : problems()) {
        const Mapped m = mapped(problem, mappings[1]);
        const FactorReport report = factored(problem, m, {}).report();
        CHECK(report.memory.peak_bytes_predicted == m.predicted.parallel_bytes);
        CHECK(report.memory.peak_bytes <= m.predicted.parallel_bytes);
        CHECK(report.memory.peak_bytes >= m.predicted.fixed_bytes + m.predicted.factor_bytes);
    }
    FactorOptions negative;
    negative.memory_budget_bytes = -1;
    const Problem problem = problems().front();
    CHECK_THROWS_AS(factored(problem, mapped(problem, mappings[0]), negative), InvalidArgument);
}

TEST_CASE("all memory comes back: after the factorization what is no factor, then the rest") {
    for (const Problem& problem : problems()) {
        CAPTURE(problem.name);
        const Mapped m = mapped(problem, mappings[1]);
        {
            const Factors<double> factors = factored(problem, m, {});
            const count_t held = host_heap().used_bytes();
            CHECK(held <= m.predicted.factor_bytes + rounding_of_blocks(*m.analysis));
            auto b = RhsBlock<double>::random(problem.matrix.rows(), 70, 3);
            static_cast<void>(solve(factors, std::as_const(b).view(), b.view()));
            CHECK(host_heap().used_bytes() == held);
        }
        CHECK(host_heap().used_bytes() == 0);
    }
}

TEST_CASE("factorizations at the same time keep accounts of their own") {
    const Watchdog watchdog(120);
    const Problem problem = problems()[2];
    const Mapped m = mapped(problem, mappings[1]);
    FactorOptions options;
    options.memory_budget_bytes = m.predicted.sequential_bytes;
    std::vector<std::future<FactorReport>> runs;
    for (int run = 0; run < 3; ++run)
        runs.push_back(std::async(std::launch::async, [&] { return factored(problem, m, options).report(); }));
    for (auto& run : runs) {
        const FactorReport report = run.get();
        CHECK(report.status == FactorStatus::success);
        CHECK(report.memory.peak_bytes <= options.memory_budget_bytes);
    }
    CHECK(host_heap().used_bytes() == 0);
}
