// SPDX-License-Identifier: BSD-3-Clause
// Workers stay on cores of their own where the cores are the session's, and go where there is room
// elsewhere.
#include "child_process.hpp"
#include "frond/base/hardware.hpp"
#include "frond/frond.hpp"
#include "session/workers/usable_core_list.hpp"
#include "session/workers/worker_binding.hpp"
#include "shared_session.hpp"
#include "system_folder.hpp"

#include <doctest/doctest.h>
#include <starpu.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <sched.h>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;
using detail::BindingFacts;
using detail::choose_binding;
using detail::WorkerBinding;

namespace {

std::vector<int> processors_of_this_thread() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> list;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return list;
    for (int p = 0; p < CPU_SETSIZE; ++p)
        if (CPU_ISSET(p, &set)) list.push_back(p);
    return list;
}

/// Other cases of this program may have set it.
void leave_binding_to_frond() { unsetenv("STARPU_WORKERS_NOBIND"); }

void stay_on(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    REQUIRE(sched_setaffinity(0, sizeof set, &set) == 0);
}

struct SeenProcessors {
    std::mutex mutex;
    std::vector<std::vector<int>> processors;
};

void look(void* raw) {
    SeenProcessors& seen = *static_cast<SeenProcessors*>(raw);
    const std::lock_guard lock(seen.mutex);
    seen.processors.push_back(processors_of_this_thread());
}

/// For each worker of cores the processors that it may run on, sorted.
std::vector<std::vector<int>> processors_of_workers() {
    SeenProcessors seen;
    starpu_resume();  // an idle session has paused them
    starpu_execute_on_each_worker(look, &seen, STARPU_CPU);
    starpu_pause();
    std::sort(seen.processors.begin(), seen.processors.end());
    return seen.processors;
}

}  // namespace

TEST_CASE("when workers are bound") {
    const BindingFacts all{.threads = 8, .cores = 8, .others_running = 0, .starpus_choice = false};
    CHECK(choose_binding(all) == WorkerBinding::one_core_each);
    BindingFacts facts = all;
    facts.threads = 7;  // another job would choose the same seven
    CHECK(choose_binding(facts) == WorkerBinding::not_a_thread_per_core);
    facts.threads = 9;
    CHECK(choose_binding(facts) == WorkerBinding::not_a_thread_per_core);
    facts = all;
    facts.others_running = 1;
    CHECK(choose_binding(facts) == WorkerBinding::others_run);
    facts = all;
    facts.threads = facts.cores = 0;  // unknown
    CHECK(choose_binding(facts) != WorkerBinding::one_core_each);
    facts = all;
    facts.starpus_choice = true;
    CHECK(choose_binding(facts) == WorkerBinding::by_starpu);
}

TEST_CASE("who binds: StarPU only where its first cores are those of the session") {
    const WorkerBinding each = WorkerBinding::one_core_each;
    CHECK(detail::starpu_binds_workers(each, 1, false));
    CHECK_FALSE(detail::starpu_binds_workers(each, 1, true));  // a part of the machine, perhaps with gaps
    CHECK_FALSE(detail::starpu_binds_workers(each, 0, false));
    CHECK(detail::starpu_binds_workers(WorkerBinding::by_starpu, 0, true));
    CHECK_FALSE(detail::starpu_binds_workers(WorkerBinding::others_run, 1, false));
}

TEST_CASE("hardware threads of a core count once") {
    const std::vector<int> mine = processors_of_this_thread();
    SystemFolder folder;  // without topology each processor is a core
    CHECK(detail::usable_core_list(folder.path()).processors == mine);
    CHECK(detail::usable_core_list(folder.path()).threads == 1);
    for (const int p : mine)
        folder.write("/sys/devices/system/cpu/cpu" + std::to_string(p) + "/topology/thread_siblings_list",
                     std::to_string(mine.front()) + "-" + std::to_string(mine.back()) + "\n");
    const detail::UsableCores one = detail::usable_core_list(folder.path());
    CHECK(one.processors == std::vector<int>{mine.front()});
    CHECK(one.threads == static_cast<index_t>(mine.size()));
    CHECK(one.hardware_threads == mine);
}

TEST_CASE("in a child: fewer workers than cores" * doctest::skip()) {
    leave_binding_to_frond();
    const std::vector<int> mine = processors_of_this_thread();
    const auto cores = static_cast<index_t>(detail::usable_core_list().processors.size());
    const Session session = started_session(SessionOptions{.cpu_workers = cores == 1 ? 2 : cores - 1, .gpus = 0});
    CHECK(session.info().worker_binding.starts_with("none: "));
    for (const std::vector<int>& processors : processors_of_workers()) CHECK(processors == mine);
}

TEST_CASE("two jobs do not meet on one core: workers that leave cores free are not bound") {
    CHECK(run_case_in_child("in a child: fewer workers than cores", {}, 120) == 0);
}

TEST_CASE("in a child: one processor" * doctest::skip()) {
    leave_binding_to_frond();
    const int last = processors_of_this_thread().back();
    stay_on(last);  // as taskset does
    CHECK(usable_cores() == 1);
    const Session session = started_session(SessionOptions{.gpus = 0});
    CHECK(session.info().cpu_workers == 1);
    CHECK(processors_of_workers() == std::vector<std::vector<int>>{{last}});
}

TEST_CASE("a session has as many workers as its process has cores") {
    CHECK(run_case_in_child("in a child: one processor", {}, 120) == 0);
}

TEST_CASE("in a child: every core" * doctest::skip()) {
    leave_binding_to_frond();
    const detail::UsableCores cores = detail::usable_core_list();
    const Session session = started_session(SessionOptions{.gpus = 0});
    const std::string binding = session.info().worker_binding;
    const auto seen = processors_of_workers();
    CHECK(seen.size() == static_cast<std::size_t>(session.info().cpu_workers));
    if (binding == "one core each") {
        std::vector<std::vector<int>> expected;
        for (const int p : cores.processors) expected.push_back({p});
        std::sort(expected.begin(), expected.end());
        CHECK(seen == expected);
    } else {  // others run, or a quota allows fewer
        CHECK(binding.starts_with("none: "));
        for (const std::vector<int>& processors : seen) CHECK(processors == processors_of_this_thread());
    }
}

TEST_CASE("without options: a worker a core, bound to it or not as the session says") {
    CHECK(run_case_in_child("in a child: every core", {}, 120) == 0);
}

TEST_CASE("in a child: workers are bound one by one" * doctest::skip()) {
    leave_binding_to_frond();
    const std::vector<int> mine = processors_of_this_thread();
    const Session session = started_session(SessionOptions{.cpu_workers = 2, .gpus = 0});
    starpu_resume();
    CHECK(detail::bind_cpu_workers({mine.back(), mine.front()}) == 2);
    starpu_pause();
    std::vector<std::vector<int>> expected{{mine.front()}, {mine.back()}};
    CHECK(processors_of_workers() == expected);
}

TEST_CASE("in a child: processors that are not there" * doctest::skip()) {
    leave_binding_to_frond();
    const std::vector<int> mine = processors_of_this_thread();
    const Session session = started_session(SessionOptions{.cpu_workers = 2, .gpus = 0});
    starpu_resume();
    const int missing = CPU_SETSIZE - 1;
    if (std::find(mine.begin(), mine.end(), missing) == mine.end())
        CHECK(detail::bind_cpu_workers({mine.front(), missing}) == 1);
    CHECK(detail::bind_cpu_workers({mine.front()}) == 1);
    CHECK(detail::bind_cpu_workers({}) == 0);
    starpu_pause();
}

TEST_CASE("workers that the system refuses to bind are not counted") {
    CHECK(run_case_in_child("in a child: processors that are not there", {}, 120) == 0);
}

TEST_CASE("workers take the processors that they are given") {
    CHECK(run_case_in_child("in a child: workers are bound one by one", {}, 120) == 0);
}

TEST_CASE("in a child: StarPU's own choice" * doctest::skip()) {
    const Session session = started_session(SessionOptions{.cpu_workers = 1, .gpus = 0});
    CHECK(session.info().worker_binding == "StarPU's, by its variables");
    CHECK(processors_of_workers() == std::vector<std::vector<int>>{{processors_of_this_thread().front()}});
}

TEST_CASE("STARPU_WORKERS_NOBIND=0 has StarPU bind workers as it would") {
    CHECK(run_case_in_child("in a child: StarPU's own choice", {{"STARPU_WORKERS_NOBIND", "0"}}, 120) == 0);
}
