// SPDX-License-Identifier: BSD-3-Clause
// Solve A x = b for a symmetric positive definite matrix: the shortest complete program.
#include "grid_problem.hpp"

#include <frond/frond.hpp>

#include <cstdio>

int main() {
    const GridProblem grid = grid_problem(60, 4.0);
    const int n = grid.order;

    // A view of your own arrays; nothing is copied until Frond needs it. One triangle is enough.
    frond::CompressedView<double> a;
    a.rows = a.cols = n;
    a.begin = grid.begin.data();
    a.index = grid.row.data();
    a.value = grid.value.data();
    a.symmetry = frond::Symmetry::symmetric;
    a.stored = frond::Triangle::lower;

    std::vector<double> b(n, 1.0), x(n);

    frond::Session session;  // starts StarPU; idle workers use no CPU
    frond::Solver<double> solver(session);  // every option has a default
    solver.analyze(a);  // pattern: ordering, tree, memory
    const auto& factors = solver.factor(a);  // values: L L^T, chosen because the diagonal allows it
    const auto report = solver.solve({b.data(), n}, {x.data(), n});

    std::printf("%s factors, backward error %.1e\n",
                factors.factorization == frond::Factorization::llt ? "L L^T" : "other", report.backward_error);
    return report.status == frond::SolveStatus::converged ? 0 : 1;
}
