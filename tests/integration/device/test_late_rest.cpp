// SPDX-License-Identifier: BSD-3-Clause
// Workers of a session with devices stay awake for a moment after a job, and rest then.
#include "child_process.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <optional>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

/// Of one worker, so that most machines have a core for the caller; it solves a system of one unknown.
class SmallSolves {
public:
    SmallSolves() : session_(std::in_place, SessionOptions{.cpu_workers = 1}) {}
    bool has_device() const { return session_->info().gpus > 0; }
    void solve_some() {
        SystemBuilder<double> a(1, Symmetry::symmetric);
        a.set(0, 0, 2);
        Solver<double> solver(*session_);
        solver.factor(a.matrix());
        SolveOptions on_device;
        on_device.place = SolvePlace::device;
        const std::vector<double> b{6};
        std::vector<double> x{0};
        for (int i = 0; i < 20; ++i) {
            const SolveReport report = solver.solve(b, x, on_device);
            CHECK(report.on_device);
            CHECK(report.status == SolveStatus::converged);
        }
    }
    void end() { session_.reset(); }

private:
    std::optional<Session> session_;
};

}  // namespace

TEST_CASE("child: solves and a rest" * doctest::skip()) {
    SmallSolves solves;
    REQUIRE(solves.has_device());
    for (int i = 0; i < 3; ++i) {
        solves.solve_some();
        while (starpu_is_paused() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    solves.solve_some();
    solves.end();  // while they may be awake
    SmallSolves again;
    again.solve_some();
}

TEST_CASE("child: a fork after solves" * doctest::skip()) {
    SmallSolves solves;
    solves.solve_some();
    const pid_t child = fork();
    if (child == 0) {
        solves.end();
        _exit(0);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    solves.solve_some();
}

TEST_CASE("workers rest after solves on the device" * doctest::test_suite(needs_device)) {
    CHECK(run_case_in_child("child: solves and a rest", {}, 120) == 0);
    CHECK(run_case_in_child("child: a fork after solves", {}, 120) == 0);
}
