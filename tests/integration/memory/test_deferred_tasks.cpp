// SPDX-License-Identifier: BSD-3-Clause
// A unit whose unforeseen bytes do not fit is deferred until running ones have given bytes back;
// where none runs that could, the error comes. Nothing hangs.
#include "factorization_parts.hpp"
#include "failing_allocations.hpp"
#include "failing_columns.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/frond.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

struct Mapped {
    SparseMatrix<double> matrix;
    AnalysisResult analysed;
    std::shared_ptr<const Analysis> analysis;

    explicit Mapped(const FailingColumns& problem)
        : matrix(problem.matrix),
          analysed(analyze_as_given(matrix, problem.kind, ScalingMethod::none)),
          analysis(remapped(*analysed.analysis, problem.mapping)) {}

    std::unique_ptr<FactorizationParts<double>> parts(const std::atomic<bool>* cancel = nullptr,
                                                      count_t most_pending_tasks = 1000) const {
        auto parts = std::make_unique<FactorizationParts<double>>(analysis, matrix, analysed.scaling, cancel);
        parts->most_pending_tasks = most_pending_tasks;
        return parts;
    }
};

struct Needed {
    count_t foreseen_bytes;  // one unit after the other
    count_t certain_bytes;  // whatever the schedule: of one unit the peak, of several what is left
        // at the end
    count_t second_pass_bytes;
};

Needed needed_bytes(FactorizationParts<double>& parts) {
    const detail::PeakPrediction predicted = parts.predicted();
    const count_t foreseen = predicted.sequential_bytes - predicted.fixed_bytes;
    detail::MemoryBudget budget(foreseen, count_t{1} << 30);
    parts.run(budget);
    const bool one = parts.state.factors.subtrees().size() + parts.state.factors.tiled().size() == 1;
    return {foreseen, one ? budget.peak_bytes() : budget.used_bytes(), parts.second_pass_bytes()};
}

/// Stands for another unit of the job that runs and holds bytes: when memory was refused to a unit,
/// act() is called, and it ends.
template <class Act>
class OtherUnit {
public:
    OtherUnit(Job& job, detail::MemoryBudget& budget, Act act) {
        job.task_submitted();
        thread_ = std::thread([&job, &budget, act] {
            while (budget.refusals() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            act();
            job.task_ended();
        });
    }

    ~OtherUnit() { thread_.join(); }

    OtherUnit(const OtherUnit&) = delete;
    OtherUnit& operator=(const OtherUnit&) = delete;

private:
    std::thread thread_;
};

/// Runs beside another unit that holds bytes which these units need, until memory has been refused to one of them.
void run_beside_holder(FactorizationParts<double>& parts, const Needed& needed) {
    // Bounds are ensured where work cannot be undone: three times the bytes are enough for them.
    const count_t held = 2 * needed.certain_bytes;
    detail::MemoryBudget budget(needed.foreseen_bytes, needed.certain_bytes - 1 + held);
    count_t sum = 0;
    REQUIRE(budget.try_add_unforeseen(held, sum));
    {
        const OtherUnit other(parts.job, budget, [&] { budget.release_unforeseen(held); });
        REQUIRE_NOTHROW(parts.run(budget));
    }
    CHECK(budget.refusals() > 0);
    CHECK(budget.ensured_bytes() == 0);
    CHECK(parts.second_pass_bytes() == needed.second_pass_bytes);
    CHECK(budget.unforeseen_bytes() == needed.second_pass_bytes);
}

/// Beside single units, trees: columns delayed from subtrees to fronts on tiles and from front to
/// front.
std::vector<FailingColumns> with_trees() {
    std::vector<FailingColumns> list = failing_columns();
    for (const ForcedMapping& mapping : {ForcedMapping{"all on tiles", 8, 0}, {"tiles above", 8, 8}})
        for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general})
            list.push_back({std::string("tree, ") + mapping.name, broom_matrix<double>({.tips = 5}, symmetry, 3),
                            symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt, mapping, 1, 1});
    return list;
}

/// Calls run(mapped problem, its needs) for each.
template <class Run>
void for_each_problem(Run run) {
    for (const FailingColumns& problem : with_trees()) {
        CAPTURE(problem.name);
        const Mapped mapped(problem);
        const Needed needed = needed_bytes(*mapped.parts());
        REQUIRE(needed.certain_bytes > needed.foreseen_bytes);
        run(mapped, needed);
    }
    CHECK(host_heap().used_bytes() == 0);
}

}  // namespace

TEST_CASE("a unit that does not fit goes on when a running one gives bytes back") {
    const Watchdog watchdog(120);
    for_each_problem([](const Mapped& mapped, const Needed& needed) { run_beside_holder(*mapped.parts(), needed); });
}

TEST_CASE("a task deferred while its front is being submitted goes on, however few may wait") {
    const Watchdog watchdog(240);
    constexpr count_t most_pending = 20;  // far fewer than the tasks of a front
    for_each_problem([](const Mapped& mapped, const Needed& needed) {
        run_beside_holder(*mapped.parts(nullptr, most_pending), needed);
        // Nothing gives bytes back: the error, not a standstill.
        const auto again = mapped.parts(nullptr, most_pending);
        detail::MemoryBudget too_small(needed.foreseen_bytes, needed.certain_bytes - 1);
        CHECK_THROWS_AS(again->run(too_small), MemoryBudgetExceeded);
    });
}

TEST_CASE("a unit that was deferred gets the error when nothing runs that could give bytes") {
    const Watchdog watchdog(120);
    for_each_problem([](const Mapped& mapped, const Needed& needed) {
        const auto parts = mapped.parts();
        detail::MemoryBudget budget(needed.foreseen_bytes, needed.certain_bytes - 1);
        const OtherUnit other(parts->job, budget, [] {});
        CHECK_THROWS_AS(parts->run(budget), MemoryBudgetExceeded);
    });
}

TEST_CASE("cancelling ends a factorization with a unit deferred") {
    const Watchdog watchdog(120);
    for_each_problem([](const Mapped& mapped, const Needed& needed) {
        std::atomic<bool> cancel{false};
        const auto parts = mapped.parts(&cancel);
        detail::MemoryBudget budget(needed.foreseen_bytes, needed.certain_bytes - 1);
        const OtherUnit other(parts->job, budget, [&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            cancel = true;
        });
        CHECK_THROWS_AS(parts->run(budget), Cancelled);
    });
}

TEST_CASE("when all memory runs out, a unit deferred does not keep the factorization from ending") {
    const Watchdog watchdog(120);
    for_each_problem([](const Mapped& mapped, const Needed& needed) {
        const auto parts = mapped.parts();
        detail::MemoryBudget budget(needed.foreseen_bytes, needed.certain_bytes - 1);
        std::optional<FailingAllocations> from_now_on;
        const OtherUnit other(parts->job, budget, [&] { from_now_on.emplace(0); });
        bool failed = false;
        try {
            parts->run(budget);
        } catch (const std::exception&) {
            failed = true;
        }
        from_now_on.reset();
        CHECK(failed);
    });
}

TEST_CASE("whatever the budget, it is enough or it is exceeded") {
    const Watchdog watchdog(120);
    count_t refusals = 0, enough = 0, exceeded = 0;
    for_each_problem([&](const Mapped& mapped, const Needed& needed) {
        for (count_t eighths = 1; eighths <= 21; eighths += 4) {
            const count_t most = needed.foreseen_bytes + (needed.certain_bytes - needed.foreseen_bytes) * eighths / 8;
            detail::MemoryBudget budget(needed.foreseen_bytes, most);
            const auto parts = mapped.parts();
            try {
                parts->run(budget);
                ++enough;
                CHECK(budget.unforeseen_bytes() == needed.second_pass_bytes);
            } catch (const MemoryBudgetExceeded&) {
                ++exceeded;
            }
            CHECK(budget.peak_bytes() <= most);
            refusals += budget.refusals();
        }
    });
    CHECK(refusals > 0);
    CHECK(enough > 0);
    CHECK(exceeded > 0);
}
