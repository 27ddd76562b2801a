// SPDX-License-Identifier: BSD-3-Clause
// Whole trees on a card.
#include "bench_kernels.hpp"
#include "device_tasks.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"

#include <cmath>
#include <cstdio>
#include <string>

namespace frond::bench {

namespace {

template <class T>
AnalysisResult analysed(const SparseMatrix<T>& a, Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    options.matching = MatchingMode::off;
    options.scaling = ScalingMethod::none;
    return analyze(a, options);
}

/// One substitution with so many right-hand sides; refinement makes several.
template <class T>
void bench_substitution(const char* name, const Factors<T>& factors, index_t rhs, Run& run) {
    const index_t n = factors.analysis().order;
    std::vector<T> b(static_cast<std::size_t>(n) * static_cast<std::size_t>(rhs), T(1)), x(b);
    SolveReport solved;
    SolveOptions on_device;
    on_device.place = SolvePlace::device;
    const double seconds = median_after_first([&] {
        solved = solve<T>(factors, {b.data(), n, rhs, n}, {x.data(), n, rhs, n}, on_device);
        return solved.substitution_seconds / (1 + solved.refinement_steps);
    });
    const double error = run.checked<T>(solved.componentwise_backward_error, 1);
    const double flops =
        4.0 * (is_complex<T> ? 4 : 1) * static_cast<double>(factors.report().memory.factor_entries) * rhs;
    const std::string text = std::string(name) + ", substitution with " + std::to_string(rhs);
    print_device_rate(text.c_str(), n, flops, "Gflop/s", seconds, error);
}

/// From values in host memory to factors on the card; then one solve with refinement.
template <class T>
void bench_whole_tree(const char* name, const SparseMatrix<T>& a, Factorization kind, Run& run) {
    const AnalysisResult result = analysed(a, kind);
    FactorOptions options;
    options.place = FactorPlace::device;
    Factors<T> factors;
    const double seconds = median_after_first([&] {
        factors = Factors<T>();
        factors = factorize(device_session(), result.analysis, a, options, &result.scaling);
        return factors.report().seconds;
    });
    std::vector<T> b(static_cast<std::size_t>(a.rows()), T(1)), x(b);
    SolveReport solved;
    SolveOptions on_device;
    on_device.place = SolvePlace::device;
    const double solve_seconds = median_after_first([&] {
        solved = solve<T>(factors, {b.data(), a.rows()}, {x.data(), a.rows()}, on_device);
        return solved.seconds;
    });
    const double error = run.checked<T>(solved.componentwise_backward_error, 1);
    print_device_rate(name, a.rows(), factors.report().work.flops, "Gflop/s", seconds, error);
    // A substitution reads the factors once forward and once backward, each step of refinement once more.
    const double bytes =
        2.0 * static_cast<double>(factors.report().memory.factor_bytes) * (1 + solved.refinement_steps);
    print_device_rate((std::string(name) + ", solve").c_str(), a.rows(), bytes, "GB/s", solve_seconds, error);
    for (const index_t rhs : {8, 16, 64}) bench_substitution<T>(name, factors, rhs, run);
}

}  // namespace

template <class T>
void bench_device_trees(const char* scalar, Run& run) {
    constexpr Factorization definite = is_complex<T> ? Factorization::ldlt : Factorization::llt;
    const char* const symmetric = is_complex<T> ? "L D L^T" : "L L^T";
    std::printf("\nwhole trees on the card, %s\n", scalar);
    for (const index_t n : {20, 40, 60}) {
        if (!run.takes(n * n * n)) continue;
        bench_whole_tree<T>(symmetric, poisson3d<T>(n).matrix, definite, run);
        bench_whole_tree<T>("L U", poisson3d<T>(n).matrix, Factorization::lu, run);
    }
}

#define FROND_INSTANTIATE(T) template void bench_device_trees<T>(const char*, Run&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
