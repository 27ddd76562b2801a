// SPDX-License-Identifier: BSD-3-Clause
// That ThreadSanitizer sees the order of tasks that follows from declared accesses, and no other.
#include "frond/base/sanitizers.hpp"

#if FROND_THREAD_SANITIZER

#include "child_process.hpp"
#include "engine/data_handle.hpp"
#include "frond/codelets/task.hpp"
#include "session/session_state.hpp"
#include "shared_session.hpp"
#include "engine/insert_task.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace frond;
using namespace frond::test;

namespace {

struct AddArguments : TaskArguments {
    double* sum = nullptr;
    std::atomic<int>* turn = nullptr;
    int my_turn = 0;  // with turn given: waits for it, in a way that orders no memory
};

void add_cpu(void*[], void* raw) noexcept {
    run_task<AddArguments>(raw, [](const AddArguments& a) {
        while (a.turn != nullptr && a.turn->load(std::memory_order_relaxed) < a.my_turn) {
        }
        *a.sum += 1;
        if (a.turn != nullptr) a.turn->fetch_add(1, std::memory_order_relaxed);
    });
}

/// Four tasks, no more than workers, add to one sum, one after the other.
double add_in_tasks(bool declared) {
    static starpu_codelet codelet = make_codelet("add", add_cpu, 0);
    const auto state = detail::SessionState::acquire(four_workers());
    state->start();
    const detail::JobGuard guard(*state);
    double sum = 0;
    std::atomic<int> turn{0};
    detail::DataHandle handle = detail::DataHandle::vector(&sum, 1);
    const detail::Access access{handle.get(), STARPU_RW};
    Job job(detail::starpu_engine());
    for (int task = 0; task < 4; ++task) {
        AddArguments arguments;
        arguments.sum = &sum;
        arguments.turn = declared ? nullptr : &turn;
        arguments.my_turn = task;
        detail::insert_task(job, codelet, arguments, std::span(&access, declared ? 1 : 0), 0);
    }
    job.wait();
    return sum;
}

}  // namespace

TEST_CASE("child: declared accesses" * doctest::skip()) { CHECK(add_in_tasks(true) == 4); }

TEST_CASE("child: accesses that no task declared" * doctest::skip()) { CHECK(add_in_tasks(false) == 4); }

TEST_CASE("ThreadSanitizer: an access that was not declared is a race, a declared one is not") {
    CHECK(run_case_in_child("child: declared accesses", {}, 120) == 0);
    CHECK(run_case_in_child("child: accesses that no task declared", {}, 120) > 0);
}

#endif
