// SPDX-License-Identifier: BSD-3-Clause
// Two threads of one session: one solves again and again with factors on the device, the other factors.
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "tolerance.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <exception>
#include <string>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

/// What a thread that solves until it is stopped has seen.
struct Tally {
    std::atomic<count_t> solves{0};
    std::atomic<bool> stop{false};
    count_t not_converged = 0;
    double largest_error = 0;
    std::string thrown;
};

template <class T>
void solve_until_stopped(const Factors<T>& factors, const test::DenseMatrix& a, Tally& tally) {
    const auto b = RhsBlock<T>::random(a.rows, 2, 8);
    try {
        while (!tally.stop) {
            RhsBlock<T> x(a.rows, 2);
            const SolveReport report = solve(factors, b.view(), x.view());
            tally.not_converged += report.status == SolveStatus::converged ? 0 : 1;
            const double error = componentwise_error(a, widened(x), widened(b));
            if (!(error <= tally.largest_error)) tally.largest_error = error;  // NaN is kept
            ++tally.solves;
        }
    } catch (const std::exception& error) {
        tally.thrown = error.what();
    }
    tally.stop = true;  // nobody waits for more solves
}

void wait_for_solves(const Tally& tally, count_t count) {
    while (tally.solves < count && !tally.stop) std::this_thread::yield();
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("solves while another matrix is factored", T, beside) {
    const Watchdog watchdog(300);
    constexpr int factorizations = 8;
    for (const Kind& kind : kinds<T>()) {
        if (kind.diagonal < 6) continue;
        for (const FactorPlace place : {FactorPlace::automatic, FactorPlace::tasks}) {
            CAPTURE(static_cast<int>(kind.factorization));
            CAPTURE(static_cast<int>(place));
            const SparseMatrix<T> a = grid<T>(6, kind), other = grid<T>(7, kind);
            const Factors<T> factors = factored(a, kind.factorization, {"", 40, 60}, place);
            const test::DenseMatrix d = dense(a);
            Tally tally;
            std::thread solver([&] { solve_until_stopped(factors, d, tally); });
            wait_for_solves(tally, 1);
            index_t good = 0;
            for (int round = 0; round < factorizations; ++round) {
                const FactorReport report = factored(other, kind.factorization, {"", 40, 60}, place).report();
                good += report.status == FactorStatus::success ? 1 : 0;
                wait_for_solves(tally, round + 2);
            }
            tally.stop = true;
            solver.join();
            CHECK(good == factorizations);
            CHECK(tally.thrown == "");
            CHECK(tally.solves > factorizations);
            CHECK(tally.not_converged == 0);
            CHECK(tally.largest_error <= 450 * epsilon<T>());
            // Alone once more, the solve has the device.
            const auto b = RhsBlock<T>::random(a.rows(), 1, 9);
            RhsBlock<T> x(a.rows(), 1);
            CHECK(solve(factors, b.view(), x.view()).on_device == has_device());
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(beside, Scalars);
