// SPDX-License-Identifier: BSD-3-Clause
// Many right-hand sides at once, and the transposed system with the same factors.
#include "grid_problem.hpp"

#include <frond/frond.hpp>

#include <algorithm>
#include <complex>
#include <cstdio>

using Scalar = std::complex<double>;

int main() {
    const GridProblem grid = grid_problem(30, 4.0);
    const int n = grid.order, rhs = 20;

    // General and complex, as triplets: the grid above and below the diagonal, damped by i/10.
    std::vector<int> row, column;
    std::vector<Scalar> value;
    for (int j = 0; j < n; ++j) {
        for (int p = grid.begin[j]; p < grid.begin[j + 1]; ++p) {
            const int i = grid.row[p];
            row.push_back(i), column.push_back(j), value.push_back({grid.value[p], i == j ? 0.1 : 0});
            if (i != j) row.push_back(j), column.push_back(i), value.push_back(0.5 * grid.value[p]);
        }
    }
    const frond::TripletView<Scalar> a{
        n, n, static_cast<frond::count_t>(value.size()), row.data(), column.data(), value.data()};

    frond::Session session;
    frond::Solver<Scalar> solver(session);
    solver.factor(a);

    // Column major, one right-hand side a column; the leading dimension may exceed n.
    const int ld = n + 8;
    std::vector<Scalar> b(static_cast<std::size_t>(ld) * rhs), x(b.size());
    for (int k = 0; k < rhs; ++k) b[static_cast<std::size_t>(k) * ld + k] = 1.0;  // columns of A^-1

    double worst = 0;
    for (const auto operation : {frond::Operation::none, frond::Operation::adjoint}) {
        frond::SolveOptions options;
        options.operation = operation;
        const auto report = solver.solve({b.data(), n, rhs, ld}, {x.data(), n, rhs, ld}, options);
        std::printf("%s: %d right-hand sides in %.4f s, worst backward error %.1e\n",
                    operation == frond::Operation::none ? "A X = B" : "A^H X = B", report.rhs, report.seconds,
                    report.backward_error);
        worst = std::max(worst, report.componentwise_backward_error);
    }
    return worst < 1e-13 ? 0 : 1;
}
