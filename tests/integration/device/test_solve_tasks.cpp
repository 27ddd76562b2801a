// SPDX-License-Identifier: BSD-3-Clause
// What solves do on the device are tasks of StarPU, on the worker of the device.
#include "factors/state_of.hpp"
#include "error_oracle.hpp"
#include "frond/base/error.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "substitution/device_task.hpp"
#include "tolerance.hpp"
#include "tasks/solve/solve_piece.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t side = 6, order = side * side * side;
constexpr Kind positive{Factorization::llt, Symmetry::symmetric, 6.5};

/// Tasks that the worker of the device ran while this lives.
class CountedTasks {
public:
    CountedTasks() {
        starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
        static_cast<void>(executed());  // which begins anew
    }
    CountedTasks(const CountedTasks&) = delete;
    CountedTasks& operator=(const CountedTasks&) = delete;
    ~CountedTasks() { starpu_profiling_status_set(STARPU_PROFILING_DISABLE); }

    /// Since the last call.
    static int executed() {
        starpu_profiling_worker_info info{};
        REQUIRE(starpu_profiling_worker_get_info(gpu::first_device().value().worker, &info) == 0);
        return info.executed_tasks;
    }
};

SolveOptions on_device() {
    SolveOptions options;
    options.place = SolvePlace::device;
    options.condition_hint = false;
    return options;
}

}  // namespace

TEST_CASE("a solve on the device is one task, its refinement included" * doctest::test_suite(needs_device)) {
    const SparseMatrix<double> a = grid<double>(side, positive);
    for (const FactorPlace place : {FactorPlace::device, FactorPlace::tasks}) {
        CAPTURE(static_cast<int>(place));
        const Factors<double> factors = factored(a, positive.factorization, {"", 40, 60}, place);
        const auto b = RhsBlock<double>::random(order, 2, 5);
        RhsBlock<double> x(order, 2);
        CHECK(solve(factors, b.view(), x.view(), on_device()).on_device);
        const detail::JobGuard guard(*detail::state_of(factors)->session);
        const CountedTasks counted;
        const SolveReport report = solve(factors, b.view(), x.view(), on_device());
        CHECK(CountedTasks::executed() == 1);
        CHECK(report.status == SolveStatus::converged);
        CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<double>());
    }
}

TEST_CASE("a solve on the device is a task, whose errors come out of the call" * doctest::test_suite(needs_device)) {
    const SparseMatrix<double> a = grid<double>(side, positive);
    const Factors<double> factors = factored(a, positive.factorization, {"", 40, 60}, FactorPlace::device);
    const detail::FactorsState<double>& state = *detail::state_of(factors);
    const detail::JobGuard guard(*state.session);
    const gpu::Device device = gpu::first_device().value();
    int worker = -1;
    const auto run = [&](const std::function<void()>& body) {
        detail::run_on_device(state, device, solve_piece_codelet<double>(), {1, 2}, body);
    };
    run([&] { worker = starpu_worker_get_id(); });
    CHECK(worker == device.worker);
    CHECK_THROWS_AS(run([] { throw DeviceError("planted"); }), DeviceError);
    CHECK_THROWS_AS(run([] { throw Cancelled("planted"); }), Cancelled);
    CHECK_THROWS_AS(run([] { throw std::bad_alloc(); }), std::bad_alloc);
    run([&] { worker = -2; });
    CHECK(worker == -2);
}

TEST_CASE("a solve on the device is done while no other is" * doctest::test_suite(needs_device)) {
    const SparseMatrix<double> a = grid<double>(side, positive);
    const Factors<double> first = factored(a, positive.factorization, {"", 40, 60}, FactorPlace::device);
    const Factors<double> second = factored(a, positive.factorization, {"", 40, 60}, FactorPlace::tasks);
    const detail::JobGuard guard(*detail::state_of(first)->session);
    const gpu::Device device = gpu::first_device().value();
    std::atomic<int> inside{0}, most{0}, done{0};
    const auto solver = [&](const Factors<double>& factors) {
        for (int i = 0; i < 20; ++i)
            detail::run_on_device(*detail::state_of(factors), device, solve_piece_codelet<double>(), {1, 2}, [&] {
                most = std::max(most.load(), ++inside);
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                --inside;
                ++done;
            });
    };
    std::thread other([&] { solver(second); });
    solver(first);
    other.join();
    CHECK(done == 40);
    CHECK(most == 1);
}
