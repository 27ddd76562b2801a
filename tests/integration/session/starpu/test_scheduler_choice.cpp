// SPDX-License-Identifier: BSD-3-Clause
// Which of StarPU's schedulers a session takes, and that cards are left out under those that cannot serve them.
#include "child_process.hpp"
#include "frond/frond.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/matrix/generate.hpp"
#include "session/starpu/scheduler_choice.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace frond;
using namespace frond::test;
using detail::asked_scheduler;
using detail::suitable_scheduler;
using detail::why_no_cards;

namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

/// Checks a session with a deque scheduler, however it was asked for.
void check_cards_are_left_out(const Session& session, const std::string& source) {
    const SessionInfo info = session.info();
    CHECK(info.scheduler == "lws");
    CHECK(info.gpus == 0);
    CHECK(info.cuda_workers + info.hip_workers == 0);
    const bool usable = gpu::device_count() > 0 && gpu::why_unusable().empty();
    CHECK(says(info.gpu_advice, source + " = lws cannot serve GPUs") == usable);
    const auto a = poisson3d<double>(7).matrix;
    Solver<double> solver(session);
    solver.factor(a);
    CHECK(solved_rightly(solver, a));
}

}  // namespace

TEST_CASE("who asks for a scheduler: the option before the environment") {
    CHECK(asked_scheduler("", nullptr).name.empty());
    CHECK(asked_scheduler("prio", nullptr).name == "prio");
    CHECK(asked_scheduler("prio", nullptr).source == "scheduler");
    CHECK(asked_scheduler("prio", "dmda").name == "prio");
    CHECK(asked_scheduler("prio", "dmda").source == "scheduler");
    CHECK(asked_scheduler("", "dmda").source == "STARPU_SCHED");
    CHECK(asked_scheduler("", "").name == "lws");  // what StarPU makes of an empty variable
}

TEST_CASE("deque schedulers leave cards out; others, and no wish, do not") {
    for (const char* name : {"lws", "ws", "random"}) {
        CHECK(says(why_no_cards(asked_scheduler(name, nullptr)), std::string("scheduler = ") + name + " "));
        CHECK(says(why_no_cards(asked_scheduler("", name)), std::string("STARPU_SCHED = ") + name + " "));
        CHECK(why_no_cards(asked_scheduler("dmdas", name)).empty());
    }
    for (const char* name : {"", "dmda", "dmdar", "dmdas", "prio", "eager"})
        CHECK(why_no_cards(asked_scheduler(name, nullptr)).empty());
}

TEST_CASE("the scheduler that suits cards, unless one was asked for") {
    const detail::AskedScheduler none = asked_scheduler("", nullptr);
    CHECK(suitable_scheduler(none, 0) == "lws");
    CHECK(suitable_scheduler(none, 1) == "dmdas");
    for (const index_t cards : {0, 2}) {
        CHECK(suitable_scheduler(asked_scheduler("dmda", nullptr), cards) == "dmda");
        CHECK(suitable_scheduler(asked_scheduler("", "prio"), cards) == "prio");
    }
}

TEST_CASE("a session with the option lws uses no card and says why") {
    const Watchdog watchdog(120);
    SessionOptions options = four_workers();
    options.scheduler = "lws";
    check_cards_are_left_out(Session(options), "scheduler");
}

TEST_CASE("in a child: STARPU_SCHED" * doctest::skip()) {
    check_cards_are_left_out(Session(four_workers()), "STARPU_SCHED");
}

TEST_CASE("a session under STARPU_SCHED=lws uses no card and says why") {
    for (const char* value : {"lws", ""})
        CHECK(run_case_in_child("in a child: STARPU_SCHED", {{"STARPU_SCHED", value}}, 120) == 0);
}
