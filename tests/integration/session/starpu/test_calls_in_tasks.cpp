// SPDX-License-Identifier: BSD-3-Clause
// Tasks and callbacks of StarPU, and progress functions, must not wait for tasks: Frond says so there.
#include "child_process.hpp"
#include "frond/base/error.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "solved_rightly.hpp"

#include <doctest/doctest.h>
#include <starpu.h>

#include <atomic>
#include <functional>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

const SparseMatrix<double>& system_of_tasks() {
    static const SparseMatrix<double> a = poisson3d<double>(14).matrix;
    return a;
}

template <class Call>
bool is_refused(const Call& call, const std::string& word) {
    try {
        call();
    } catch (const RuntimeError& error) {
        return std::string(error.what()).find(word) != std::string::npos;
    }
    return false;
}

/// What a task or callback of StarPU may not do with a solver of the application, and what it may.
struct InTask {
    Solver<double>* solver;
    bool is_session_refused = false, is_factor_refused = false, is_solve_refused = false, is_inline_right = false;

    void check() {
        constexpr const char* word = "callback of StarPU";
        const auto& a = system_of_tasks();
        is_session_refused = is_refused([] { const Session own; }, word);
        is_factor_refused = is_refused([&] { Solver<double>(*solver).factor(a); }, word);
        is_solve_refused = is_refused([&] { solved_rightly(*solver, a); }, word);
        Solver<double> alone(Session(SessionOptions{.inline_tasks = true}));
        alone.factor(a);
        is_inline_right = solved_rightly(alone, a);
    }
    bool is_right() const { return is_session_refused && is_factor_refused && is_solve_refused && is_inline_right; }
};

void check_in_body(void**, void* arguments) { static_cast<InTask*>(arguments)->check(); }
void check_in_callback(void* arguments) { static_cast<InTask*>(arguments)->check(); }
void do_nothing(void**, void*) {}

bool runs(starpu_codelet& codelet, InTask& checks, void (*callback)(void*)) {
    starpu_task* const task = starpu_task_create();
    task->cl = &codelet;
    task->cl_arg = task->callback_arg = &checks;
    task->callback_func = callback;
    return starpu_task_submit(task) == 0 && starpu_task_wait_for_all() == 0;
}

}  // namespace

TEST_CASE("in a child: calls in tasks" * doctest::skip()) {
    starpu_conf conf;
    REQUIRE(starpu_conf_init(&conf) == 0);
    conf.ncpus = 2;
    REQUIRE(starpu_init(&conf) == 0);
    {
        Solver<double> solver{Session()};
        solver.factor(system_of_tasks());
        starpu_codelet body{}, nothing{};
        body.cpu_funcs[0] = check_in_body;
        nothing.cpu_funcs[0] = do_nothing;
        InTask in_body{&solver}, in_callback{&solver};
        CHECK(runs(body, in_body, nullptr));
        CHECK(in_body.is_right());
        CHECK(runs(nothing, in_callback, check_in_callback));
        CHECK(in_callback.is_right());
        CHECK(solved_rightly(solver, system_of_tasks()));
    }
    starpu_shutdown();
}

TEST_CASE("tasks and callbacks of StarPU that call Frond get an error") {
    CHECK(run_case_in_child("in a child: calls in tasks", {}, 120) == 0);
}

TEST_CASE("progress functions that call Frond get an error") {
    const auto a = poisson3d<double>(24).matrix;
    for (const bool is_inline : {false, true}) {
        const Session session(is_inline ? SessionOptions{.inline_tasks = true} : SessionOptions{.cpu_workers = 2});
        Solver<double> solver(session), other(session);
        other.factor(system_of_tasks());
        std::atomic<int> calls{0}, refusals{0};
        FactorOptions options;
        options.progress = [&](const Progress&) {
            ++calls;
            refusals +=
                static_cast<int>(is_refused([&] { solver.factor(a); }, "progress function") &&
                                 is_refused([&] { other.factor(a); }, "progress function") &&
                                 is_refused([&] { solved_rightly(other, system_of_tasks()); }, "progress function"));
        };
        solver.factor(a, options);
        CHECK(calls > 0);
        CHECK(refusals == calls);
        CHECK(solved_rightly(solver, a));
    }
}
