// SPDX-License-Identifier: BSD-3-Clause
// The graph of a factorization follows from the analysis alone: with threshold pivoting, too, everything that fits is
// submitted before the first pivot is known.
#include "factorization_parts.hpp"
#include "frond/frond.hpp"
#include "engine/insert_task.hpp"
#include "trouble_systems.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

/// A task on each worker that ends when the gate is opened; where nobody opens it, after a while.
class Gate {
public:
    explicit Gate(int workers) {
        for (int task = 0; task < workers; ++task) {
            GateArguments arguments;
            arguments.gate = this;
            detail::insert_task(job_, codelet(), arguments, {}, STARPU_MAX_PRIO);
        }
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return begun_ == workers; });
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    ~Gate() { job_.wait_quietly(); }

    /// Whether all workers were held until now.
    bool open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
        return !gave_up_;
    }

private:
    struct GateArguments : TaskArguments {
        Gate* gate = nullptr;
    };

    static void hold_cpu(void**, void* raw) noexcept {
        run_task<GateArguments>(raw, [](const GateArguments& a) { a.gate->hold(); });
    }
    static starpu_codelet& codelet() {
        static starpu_codelet codelet = make_codelet("gate", hold_cpu, 0);
        return codelet;
    }
    void hold() {
        std::unique_lock lock(mutex_);
        ++begun_;
        changed_.notify_all();
        if (!changed_.wait_for(lock, std::chrono::seconds(20), [&] { return open_; })) gave_up_ = true;
    }

    Job job_{detail::starpu_engine()};
    std::mutex mutex_;
    std::condition_variable changed_;
    int begun_ = 0;
    bool open_ = false, gave_up_ = false;
};

struct Case {
    const char* name;
    Symmetry symmetry;
    ForcedMapping mapping;
};

constexpr Case cases[] = {{"L D L^T, all on tiles", Symmetry::symmetric, {"tiles", 8, 0}},
                          {"L U, all on tiles", Symmetry::general, {"tiles", 8, 0}},
                          {"L D L^T, tiles above subtrees", Symmetry::symmetric, {"mixed", 8, 8}},
                          {"L U, tiles above subtrees", Symmetry::general, {"mixed", 8, 8}}};

std::unique_ptr<FactorizationParts<double>> parts_of(const Case& c) {
    const auto kind = c.symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt;
    auto matrix = broom_matrix<double>({.groups = 4}, c.symmetry, 3);
    const AnalysisResult analysed = analyze_as_given(matrix, kind, ScalingMethod::none);
    auto parts = std::make_unique<FactorizationParts<double>>(remapped(*analysed.analysis, c.mapping),
                                                              std::move(matrix), analysed.scaling);
    parts->most_pending_tasks = 100'000;
    return parts;
}

}  // namespace

TEST_CASE("all tasks are submitted before the first pivot is known") {
    const Watchdog watchdog(120);
    for (const Case& c : cases) {
        CAPTURE(c.name);
        const auto parts = parts_of(c);
        REQUIRE(parts->state.factors.tiled().size() > 3);
        std::optional<Gate> gate;
        count_t submitted = 0;
        bool held = false;
        const auto with_memory = [&] {
            return std::count_if(parts->state.factors.tiled().begin(), parts->state.factors.tiled().end(),
                                 [](const auto& front) { return front->tile(0, 0).data != nullptr; });
        };
        parts->before_submission = [&] { gate.emplace(static_cast<int>(shared_session().info().cpu_workers)); };
        parts->after_submission = [&] {
            submitted = parts->job.submitted();
            CHECK(parts->job.done_flops() == 0);
            CHECK(with_memory() == 0);  // a front takes it when its first task runs
            held = gate->open();
        };
        detail::MemoryBudget budget(count_t{1} << 30);
        parts->run(budget);
        CHECK(held);
        CHECK(submitted > 50);
        CHECK(parts->job.submitted() == submitted);
        CHECK(with_memory() == static_cast<std::ptrdiff_t>(parts->state.factors.tiled().size()));
        CHECK(parts->second_pass_bytes() > 0);
        CHECK(budget.delayed_columns() > 0);
    }
}

TEST_CASE("the graph is the same whatever the values") {
    const Watchdog watchdog(60);
    for (const Case& c : cases) {
        CAPTURE(c.name);
        const auto hard = parts_of(c);
        // With u = 0.01 of a matrix whose diagonal is as large as the other entries together nothing fails.
        const auto easy = parts_of(c);
        SparseMatrix<double> dominant = *easy->state.system.matrix;
        for (index_t j = 0; j < dominant.cols(); ++j)
            for (count_t e = dominant.pattern.begin[static_cast<std::size_t>(j)];
                 e < dominant.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
                if (dominant.pattern.row[static_cast<std::size_t>(e)] == j)
                    dominant.value[static_cast<std::size_t>(e)] = 100;
        easy->state.system.matrix = std::make_shared<const SparseMatrix<double>>(std::move(dominant));
        for (const auto& parts : {hard.get(), easy.get()}) {
            detail::MemoryBudget budget(count_t{1} << 30);
            parts->run(budget);
        }
        CHECK(hard->second_pass_bytes() > 0);
        CHECK(easy->second_pass_bytes() == 0);
        CHECK(hard->job.submitted() == easy->job.submitted());
    }
}
