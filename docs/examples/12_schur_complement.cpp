// SPDX-License-Identifier: BSD-3-Clause
// A Schur complement by a part of a solve: A = (A11 A21^T; A21 A22) is definite, S = A22 - A21 A11^-1 A21^T.
// With A11 = L L^T, Y = L^-1 A21^T is the forward substitution alone, and S = A22 - Y^T Y.
#include "grid_problem.hpp"

#include <frond/frond.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    constexpr int edge = 40, boundary = edge;  // the last row of the grid is A22
    const GridProblem whole = grid_problem(edge, 4.0);
    const int n = whole.order, inner = n - boundary;

    GridProblem a11;
    std::vector<double> a12(static_cast<std::size_t>(inner) * boundary), s(boundary * boundary);  // column major
    a11.order = inner;
    a11.begin.push_back(0);
    for (int j = 0; j < n; ++j) {
        for (int p = whole.begin[j]; p < whole.begin[j + 1]; ++p) {
            const int i = whole.row[p];
            if (i < inner) a11.row.push_back(i), a11.value.push_back(whole.value[p]);
            if (i >= inner && j < inner) a12[static_cast<std::size_t>(i - inner) * inner + j] = whole.value[p];
            if (j >= inner) s[(j - inner) * boundary + i - inner] = whole.value[p];
        }
        if (j < inner) a11.begin.push_back(static_cast<int>(a11.row.size()));
    }

    frond::Session session;
    frond::AnalysisOptions definite;
    definite.factorization = frond::Factorization::llt;
    frond::Solver<double> solver(session, definite), interface(session);
    solver.factor(frond::CompressedView<double>{inner, inner, a11.begin.data(), a11.row.data(), a11.value.data(),
                                                frond::Layout::columns, frond::Symmetry::symmetric,
                                                frond::Triangle::lower});

    // The lower triangle of S; parts of a solve are not refined, and have no error to report.
    std::vector<double> y(a12.size());
    frond::SolveOptions forward;
    forward.part = frond::SolvePart::forward;
    static_cast<void>(solver.solve({a12.data(), inner, boundary}, {y.data(), inner, boundary}, forward));
    for (int j = 0; j < boundary; ++j)
        for (int i = j; i < boundary; ++i)
            for (int k = 0; k < inner; ++k)
                s[j * boundary + i] -=
                    y[static_cast<std::size_t>(i) * inner + k] * y[static_cast<std::size_t>(j) * inner + k];

    // A x = 1 by S x2 = b2 - A21 A11^-1 b1, then A11 x1 = b1 - A12 x2.
    frond::DenseMatrixView<double> dense{boundary, s.data(), boundary};
    dense.symmetry = frond::Symmetry::symmetric;
    interface.factor(dense);
    std::vector<double> b1(inner, 1.0), x1(inner), b2(boundary, 1.0), x2(boundary);
    static_cast<void>(solver.solve(b1, x1));
    for (int i = 0; i < boundary; ++i)
        for (int k = 0; k < inner; ++k) b2[i] -= a12[static_cast<std::size_t>(i) * inner + k] * x1[k];
    static_cast<void>(interface.solve(b2, x2));
    for (int i = 0; i < boundary; ++i)
        for (int k = 0; k < inner; ++k) b1[k] -= a12[static_cast<std::size_t>(i) * inner + k] * x2[i];
    static_cast<void>(solver.solve(b1, x1));

    // The residual of the whole system.
    std::vector<double> r(n, 1.0), x(x1);
    x.insert(x.end(), x2.begin(), x2.end());
    for (int j = 0; j < n; ++j)
        for (int p = whole.begin[j]; p < whole.begin[j + 1]; ++p) {
            const int i = whole.row[p];
            r[i] -= whole.value[p] * x[j];
            if (i != j) r[j] -= whole.value[p] * x[i];
        }
    const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const double residual = std::abs(*std::max_element(r.begin(), r.end(), larger));
    const double size = *std::max_element(x.begin(), x.end());
    std::printf("Schur complement of order %d; |b - A x| / (|A| |x|) = %.1e\n", boundary, residual / (8 * size));
    return residual < 1e-13 * 8 * size ? 0 : 1;
}
