// SPDX-License-Identifier: BSD-3-Clause
// Memory of the host that is made ready beside the tasks that use it, an error there, and a cancellation.
#include "factors/state_of.hpp"
#include "frond/base/error.hpp"
#include "frond/codelets/task.hpp"
#include "frond/session.hpp"
#include "engine/factor_parts.hpp"
#include "engine/insert_task.hpp"
#include "session/session_state.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr count_t mebibyte_part = count_t{1} << 20;

/// What the heap below was heap_asked for, and what it does then.
struct Asked {
    std::atomic<int> segments{0};
    std::atomic<int> refused{-1};  // that segment
    std::atomic<int> waiting{-1};  // this one is not ready before a task has run
    std::atomic<int> tasks{0};
};
Asked* heap_asked = nullptr;

bool ready_when_asked(void*, count_t, index_t) {
    const int segment = heap_asked->segments++;
    while (segment == heap_asked->waiting && heap_asked->tasks == 0) std::this_thread::yield();
    return segment != heap_asked->refused;
}

void counting_task(void**, void* raw) noexcept {
    run_task<TaskArguments>(raw, [](TaskArguments&) { ++heap_asked->tasks; });
}

/// Three parts, each in a segment of its own, and a task for each.
class ThreeParts {
public:
    ThreeParts() {
        heap_asked = &asked_;
        rules_.segment_bytes = 64 * mebibyte_part;
        rules_.mapped = ready_when_asked;
    }
    Asked& asked_for() { return asked_; }
    /// Workers rest until all parts are ready. What was so then:
    struct AfterRest {
        int tasks = -1;
        std::vector<bool> ready;
    };
    AfterRest run_after_rest() {
        rests_ = true;
        static_cast<void>(run());
        return after_rest_;
    }

    /// Which parts are ready at the end.
    std::vector<bool> run(const std::atomic<bool>* cancel = nullptr) {
        const Session session;
        const detail::JobGuard guard(*detail::state_of(session));
        HostHeap heap(rules_);
        const detail::PartPlace place{40 * mebibyte_part, STARPU_MAIN_RAM, true};
        detail::FactorParts parts({place, place, place}, heap, detail::Pinning::beside_tasks);
        run_tasks(*detail::state_of(session), parts, cancel);
        return ready(parts);
    }

private:
    static std::vector<bool> ready(detail::FactorParts& parts) {
        std::vector<bool> ready;
        for (std::size_t p = 0; p < 3; ++p) ready.push_back(parts.unready(p).home == nullptr);
        return ready;
    }

    void run_tasks(detail::SessionState& session, detail::FactorParts& parts, const std::atomic<bool>* cancel) {
        static starpu_codelet codelet = make_codelet("counting_task", counting_task, 0);
        Job job(detail::starpu_engine(), cancel);
        std::vector<detail::UnreadyPart> unready;
        for (std::size_t p = 0; p < 3; ++p) unready.push_back(parts.unready(p));
        std::optional<detail::RestingWorkers> rest;
        rest.emplace(session, rests_);
        std::optional<detail::PinBesideTasks> pinning(std::in_place, job, unready);
        if (rests_) pinning.reset();
        after_rest_ = {asked_.tasks, ready(parts)};
        rest.reset();
        for (const detail::UnreadyPart& part : unready) {
            const detail::Access access[] = {{part.handle, STARPU_W}};
            detail::insert_task(job, codelet, TaskArguments{}, access, 0);
        }
        job.wait();
    }

    Asked asked_;
    bool rests_ = false;
    AfterRest after_rest_;
    HostHeap::SegmentRules rules_;
};

}  // namespace

TEST_CASE("a task begins when its own memory is ready, though that of others is not") {
    const Watchdog watchdog(60);
    ThreeParts parts;
    parts.asked_for().waiting = 2;
    CHECK(parts.run() == std::vector<bool>{true, true, true});
    CHECK(parts.asked_for().segments == 3);
    CHECK(parts.asked_for().tasks == 3);
}

TEST_CASE("memory is made ready while workers rest") {
    const Watchdog watchdog(60);
    ThreeParts parts;
    const ThreeParts::AfterRest then = parts.run_after_rest();
    CHECK(then.tasks == 0);
    CHECK(then.ready == std::vector<bool>{true, true, true});
    CHECK(parts.asked_for().tasks == 3);
}

TEST_CASE("memory that cannot be made ready is the job's error, and tasks run no more") {
    const Watchdog watchdog(60);
    ThreeParts parts;
    parts.asked_for().refused = 0;
    CHECK_THROWS_AS(parts.run(), OutOfMemory);
    CHECK(parts.asked_for().tasks < 3);
}

TEST_CASE("after a cancellation no more memory is made ready") {
    const Watchdog watchdog(60);
    ThreeParts parts;
    const std::atomic<bool> cancel{true};
    CHECK_THROWS_AS(parts.run(&cancel), Cancelled);
    CHECK(parts.asked_for().segments == 0);
    CHECK(parts.asked_for().tasks == 0);
}
