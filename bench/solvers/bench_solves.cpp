// SPDX-License-Identifier: BSD-3-Clause
// bench_solves MATRIX WORKERS FACTORIZATIONS SOLVES [PAUSE]: each factorization, and so many solves with one right-hand side
// after it, by the caller's clock. MATRIX: a file or generate:NAME:SIZE. PAUSE: microseconds that the caller computes before
// each solve, during which workers fall asleep; 0 without it. Prints seconds: medians of the factorizations and of the solves
// that come first after them; of the other solves the least, the lower quartile and the median.
#include "frond/frond.hpp"
#include "load_matrix.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace {

using namespace frond;

template <class Work>
double seconds_of(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// That so much of the values are below.
double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size()))];
}

void compute_for(std::chrono::microseconds pause) {
    const auto end = std::chrono::steady_clock::now() + pause;
    while (std::chrono::steady_clock::now() < end) {
    }
}

void measure(const char* name, index_t workers, int factorizations, int solves, std::chrono::microseconds pause) {
    const AnyMatrix matrix = bench::load_matrix(name);
    const auto* const a = std::get_if<SparseMatrix<double>>(&matrix);
    if (a == nullptr) throw std::runtime_error("a real matrix is measured");
    SessionOptions options;
    options.cpu_workers = workers;
    const Session session(options);
    Solver<double> solver(session);
    solver.analyze(*a);
    const index_t n = a->rows();
    std::vector<double> b, x(static_cast<std::size_t>(n)), factor, first, later;
    for (index_t i = 0; i < n; ++i) b.push_back(1 + (i * 7919LL % 1000) * 1e-3);
    for (int f = 0; f < factorizations; ++f) {
        factor.push_back(seconds_of([&] { solver.factor(*a); }));
        for (int s = 0; s < solves; ++s) {
            compute_for(pause);
            (s == 0 ? first : later).push_back(seconds_of([&] {
                static_cast<void>(solver.solve({b.data(), n}, {x.data(), n}));
            }));
        }
    }
    std::printf("%s factor %.4f first solve %.4f later min %.6f q1 %.6f median %.6f\n", name, quantile(factor, 0.5),
                quantile(first, 0.5), quantile(later, 0), quantile(later, 0.25), quantile(later, 0.5));
}

}  // namespace

int main(int count, char** arguments) {
    if ((count != 5 && count != 6) || std::atoi(arguments[3]) < 1 || std::atoi(arguments[4]) < 2) {
        std::fprintf(stderr, "usage: bench_solves MATRIX WORKERS FACTORIZATIONS SOLVES [PAUSE] (at least 1 and 2)\n");
        return 2;
    }
    try {
        measure(arguments[1], std::atoi(arguments[2]), std::atoi(arguments[3]), std::atoi(arguments[4]),
                std::chrono::microseconds(count == 6 ? std::atoi(arguments[5]) : 0));
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_solves: %s\n", e.what());
        return 1;
    }
}
