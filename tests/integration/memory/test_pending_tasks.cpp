// SPDX-License-Identifier: BSD-3-Clause
// Tasks of a front cost memory as long as they wait: no more than a bound of them do, and the
// budget counts them.
#include "child_process.hpp"
#include "factors/state_of.hpp"
#include "factorization_parts.hpp"
#include "forced_mapping.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/sanitizers.hpp"
#include "frond/frond.hpp"
#include "memory/predict_peak.hpp"
#include "process_memory.hpp"
#include "session/parallel_for.hpp"
#include "shared_session.hpp"
#include "trouble_systems.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>
#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

SparseMatrix<double> dense_matrix(index_t n, Symmetry symmetry) {
    Random random(7);
    SparseMatrix<double> a;
    a.symmetry = symmetry;
    a.pattern.rows = a.pattern.cols = n;
    a.pattern.begin = {0};
    for (index_t j = 0; j < n; ++j) {
        for (index_t i = symmetry == Symmetry::general ? 0 : j; i < n; ++i) {
            a.pattern.row.push_back(i);
            a.value.push_back(i == j ? 2.0 * n : random.value<double>());
        }
        a.pattern.begin.push_back(static_cast<count_t>(a.value.size()));
    }
    return a;
}

/// The most tasks that were seen waiting while run() worked.
template <class Run>
count_t most_seen(const Job& job, Run run) {
    std::atomic<bool> ended{false};
    count_t most = 0;
    std::thread watcher([&] {
        while (!ended.load()) most = std::max(most, job.pending());
    });
    run();
    ended = true;
    watcher.join();
    return most;
}

}  // namespace

TEST_CASE("no more tasks of a front wait than the bound, but for those of a panel") {
    const Watchdog watchdog(120);
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
        CAPTURE(static_cast<int>(kind));
        const auto a = dense_matrix(300, kind == Factorization::lu ? Symmetry::general : Symmetry::symmetric);
        const AnalysisResult result = analyze_as_given(a, kind, ScalingMethod::none);
        const auto analysis = remapped(*result.analysis, {"tiles", 10, 0});
        FactorizationParts<double> parts(analysis, a, result.scaling);
        if (kind == Factorization::llt) parts.rule.threshold = 0;
        parts.most_pending_tasks = 200;
        detail::MemoryBudget budget(count_t{1} << 30);
        const count_t most = most_seen(parts.job, [&] { parts.run(budget); });
        REQUIRE(parts.job.submitted() > 4000);
        CHECK(most <= 200 + 4);
    }
}

TEST_CASE("no more chunks of host work wait than the bound") {
    const Watchdog watchdog(120);
    std::atomic<int> most{0};
    std::atomic<count_t> sum{0};
    constexpr count_t chunks = 8000;
    detail::parallel_for_outside_jobs(*detail::state_of(shared_session()), "values")(chunks, [&](count_t c) {
        sum += c;
        // Submission is quicker than this.
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        const int pending = starpu_task_nsubmitted();
        for (int seen = most; seen < pending && !most.compare_exchange_weak(seen, pending);) {
        }
    });
    CHECK(sum == chunks * (chunks - 1) / 2);
    // StarPU counts a task that each worker has just ended as well.
    const index_t workers = detail::state_of(shared_session())->cpu_workers();
    CHECK(most <= detail::most_pending_tasks(workers) + workers);
}

TEST_CASE("handles and tasks that wait are in the prediction") {
    const auto a = dense_matrix(200, Symmetry::symmetric);
    const AnalysisResult result = analyze_as_given(a, Factorization::llt, ScalingMethod::none);
    const auto fixed_bytes = [&](index_t tile_size, index_t workers) {
        const auto analysis = std::make_shared<Analysis>(*remapped(*result.analysis, {"tiles", tile_size, 0}));
        analysis->mapping.workers = workers;
        return detail::predict_peak<double>(*analysis, 1).fixed_bytes - detail::workspace_bytes<double>(*analysis);
    };
    // Tiles of 100: 3 handles; 3 + 2 + 2 + 1 tasks to assemble and factor, 1 + 1 to solve and
    // update. Of 50: 10, and 10 + 4 + 4 + 1 + (3 + 2 + 1) + (6 + 3 + 1).
    const count_t per_task = detail::task_bytes, per_handle = detail::handle_bytes;
    const count_t difference = fixed_bytes(50, 1) - fixed_bytes(100, 1);
    const count_t holes = 20 * 1024 / 8;  // of the heap: a twentieth of what diagonal tiles hold above the diagonal
    CHECK(std::abs(difference - (7 * per_handle + 25 * per_task)) <= holes);
    // Tiles of 5 have more tasks than may wait: 200 more with each worker.
    CHECK(fixed_bytes(5, 3) - fixed_bytes(5, 1) == 400 * per_task);
}

TEST_CASE("child: a dense matrix of order 1000 in tiles of 20 within 120 MB" * doctest::skip()) {
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
        CAPTURE(static_cast<int>(kind));
        const auto a = std::make_shared<const SparseMatrix<double>>(
            dense_matrix(1000, kind == Factorization::lu ? Symmetry::general : Symmetry::symmetric));
        AnalysisOptions options;
        options.factorization = kind;
        options.matching = MatchingMode::off;
        const AnalysisResult result = analyze(*a, options);
        const auto analysis = remapped(*result.analysis, {"tiles", 20, 0});
        return_freed_memory();
        FactorOptions budget;
        budget.memory_budget_bytes = 120'000'000;
        GrowthOfProcess growth;
        const FactorReport report = factorize(shared_session(), analysis, a, budget, &result.scaling).report();
        const count_t grown = growth.end();
        CHECK(report.status == FactorStatus::success);
        CHECK(report.work.tasks > 20'000);
        MESSAGE(grown);
        CHECK(grown <= budget.memory_budget_bytes);
    }
}

TEST_CASE("many small tiles: the process keeps to its budget" *
          doctest::skip(FROND_ADDRESS_SANITIZER || FROND_THREAD_SANITIZER)) {
    CHECK(run_case_in_child("child: a dense matrix of order 1000 in tiles of 20 within 120 MB", {}, 240) == 0);
}
