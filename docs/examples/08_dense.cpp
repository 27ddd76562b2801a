// SPDX-License-Identifier: BSD-3-Clause
// A dense system, as of boundary elements: L U of a column-major array with a leading dimension, many right-hand sides.
#include <frond/frond.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
    // Single layer potential of a circle: every point acts on every other one by the logarithm of their distance.
    const int n = 600, ld = n + 8, right_hand_sides = 5;
    const double pi = 3.14159265358979323846, h = 2 * pi / n;
    std::vector<double> a(static_cast<std::size_t>(ld) * n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const double distance = i == j ? 0.2 * h : 2 * std::abs(std::sin(0.5 * h * (i - j)));
            a[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * ld] =
                -h / (2 * pi) * std::log(0.5 * distance);
        }
    std::vector<double> b(static_cast<std::size_t>(n) * right_hand_sides), x(b.size());
    for (int k = 0; k < right_hand_sides; ++k)
        for (int i = 0; i < n; ++i)
            b[static_cast<std::size_t>(i) + static_cast<std::size_t>(k) * n] = std::cos(k * h * i);

    frond::Session session;
    frond::Solver<double> solver(session);
    // The array stays yours: it must be there, unchanged, until the last solve. The factors are one copy of it.
    frond::DenseMatrixView<double> view;
    view.order = n;
    view.data = a.data();
    view.ld = ld;
    const frond::FactorReport& factors = solver.factor(view);
    const auto report = solver.solve({b.data(), n, right_hand_sides}, {x.data(), n, right_hand_sides});
    const auto determinant = solver.factors().log_determinant();
    if (!determinant) return 1;

    std::printf("L U of order %d: %lld columns in the second pass, log|det| %.6f, backward error %.1e\n", n,
                static_cast<long long>(factors.pivots.second_pass), determinant->log_abs, report.backward_error);
    return report.status == frond::SolveStatus::converged ? 0 : 1;
}
