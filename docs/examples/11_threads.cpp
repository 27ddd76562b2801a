// SPDX-License-Identifier: BSD-3-Clause
// Threads: each has a Solver of its own in one session, then all solve with the same factors.
#include "grid_problem.hpp"

#include <frond/frond.hpp>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>
#include <vector>

namespace {

frond::CompressedView<double> view_of(const GridProblem& grid) {
    return {grid.order,
            grid.order,
            grid.begin.data(),
            grid.row.data(),
            grid.value.data(),
            frond::Layout::columns,
            frond::Symmetry::symmetric,
            frond::Triangle::lower};
}

}  // namespace

int main() {
    constexpr int threads = 4;
    const frond::Session session;  // its workers run the tasks of all threads
    std::vector<double> error(2 * threads, 1.0);

    // Another matrix a thread. One Solver takes one call at a time; several may work at once.
    const auto factor_and_solve = [&](int t) {
        const GridProblem grid = grid_problem(40, 4.0 + t);
        frond::Solver<double> solver(session);
        solver.factor(view_of(grid));
        const std::vector<double> b(grid.order, 1.0);
        std::vector<double> x(b.size());
        error[t] = solver.solve(b, x).componentwise_backward_error;
    };
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t) running.emplace_back(factor_and_solve, t);
    for (std::thread& thread : running) thread.join();
    running.clear();

    // One matrix, whose factors all threads share: const members may be called by any number of them.
    const GridProblem grid = grid_problem(60, 4.0);
    frond::Solver<double> solver(session);
    solver.factor(view_of(grid));
    const auto solve_own = [&, &shared = std::as_const(solver)](int t) {
        const std::vector<double> b(grid.order, 1.0 + t);
        std::vector<double> x(b.size());
        error[threads + t] = shared.solve({b.data(), grid.order}, {x.data(), grid.order}).componentwise_backward_error;
    };
    // An exception must not leave a thread: a program that goes on after errors catches frond::Error in each of them.
    for (int t = 0; t < threads; ++t) running.emplace_back(solve_own, t);
    for (std::thread& thread : running) thread.join();

    const double worst = *std::max_element(error.begin(), error.end());
    std::printf("%d threads, each with a matrix, then all with one: worst backward error %.1e\n", threads, worst);
    return worst < 1e-13 ? 0 : 1;
}
