// SPDX-License-Identifier: BSD-3-Clause
// Several matrices of one pattern, as in Newton's method or time stepping: analyse once, then hand
// over the values alone, in the order of the arrays that were analysed.
#include "grid_problem.hpp"

#include <frond/frond.hpp>

#include <cstdio>

int main() {
    GridProblem grid = grid_problem(50, 4.0);
    const int n = grid.order;
    const frond::CompressedView<double> a{n,
                                          n,
                                          grid.begin.data(),
                                          grid.row.data(),
                                          grid.value.data(),
                                          frond::Layout::columns,
                                          frond::Symmetry::symmetric,
                                          frond::Triangle::lower};
    frond::Session session;
    frond::Solver<double> solver(session);
    const double analysis_seconds = solver.analyze(a).seconds;
    std::printf("analysis %.4f s, once\n", analysis_seconds);

    std::vector<double> b(n, 1.0), x(n);
    for (int step = 0; step < 4; ++step) {
        // New values in the same places.
        for (int j = 0; j < n; ++j) grid.value[grid.begin[j]] = 4.0 + 0.5 * step;
        const double factor_seconds = solver.factor_values(grid.value).seconds;
        const auto report = solver.solve(b, x);
        std::printf("step %d: factorization %.4f s, backward error %.1e\n", step, factor_seconds,
                    report.backward_error);
        if (report.status != frond::SolveStatus::converged) return 1;
    }
    return 0;
}
