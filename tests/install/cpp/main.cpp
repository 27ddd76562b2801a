// SPDX-License-Identifier: BSD-3-Clause
// A program outside Frond's tree: tridiagonal (-1, 2, -1), n = 100, X = 1..n. Exit status 0 when right.
#include <cmath>
#include <cstdio>
#include <frond/frond.hpp>
#include <vector>

int main() {
    const int n = 100;
    std::vector<int> begin{0}, row;
    std::vector<double> value, expected(n), b(n), x(n);
    for (int j = 0; j < n; ++j) {
        row.push_back(j);
        value.push_back(2);
        if (j + 1 < n) {
            row.push_back(j + 1);
            value.push_back(-1);
        }
        begin.push_back(static_cast<int>(row.size()));
        expected[j] = j + 1;
        b[j] = j + 1 < n ? 0 : n + 1;
    }

    const frond::CompressedView<double> a{.rows = n,
                                          .cols = n,
                                          .begin = begin.data(),
                                          .index = row.data(),
                                          .value = value.data(),
                                          .symmetry = frond::Symmetry::symmetric,
                                          .stored = frond::Triangle::lower};
    frond::Session session({.cpu_workers = 2});
    frond::Solver<double> solver(session);
    solver.analyze(a);
    solver.factor(a);
    const auto report = solver.solve({.data = b.data(), .rows = n}, {.data = x.data(), .rows = n});

    double error = 0;
    for (int i = 0; i < n; ++i) error = std::fmax(error, std::fabs(x[i] - expected[i]));
    std::printf("largest error %.1e, backward error %.1e\n", error, report.backward_error);
    // Condition number n^2 / 2.5 = 4000: 4000 * n * eps = 9e-11.
    return error < 9e-11 && report.backward_error < 1e-15 * n ? 0 : 1;
}
