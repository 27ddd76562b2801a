// SPDX-License-Identifier: BSD-3-Clause
// The matrix of the examples: a 5-point stencil on an n x n grid, lower triangle in compressed
// columns.
#pragma once

#include <vector>

struct GridProblem {
    int order = 0;
    std::vector<int> begin, row;
    std::vector<double> value;
};

/// Diagonal `centre`, neighbours -1. Positive definite for centre >= 4, indefinite below about 4.
inline GridProblem grid_problem(int n, double centre) {
    GridProblem a;
    a.order = n * n;
    a.begin.push_back(0);
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
            const auto add = [&](int row, double value) {
                a.row.push_back(row);
                a.value.push_back(value);
            };
            add(y * n + x, centre);
            if (x + 1 < n) add(y * n + x + 1, -1);
            if (y + 1 < n) add((y + 1) * n + x, -1);
            a.begin.push_back(static_cast<int>(a.row.size()));
        }
    }
    return a;
}
