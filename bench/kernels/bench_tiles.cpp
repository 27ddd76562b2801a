// SPDX-License-Identifier: BSD-3-Clause
// Rates of the kernels of tile tasks on square tiles.
#include "bench_kernels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "measure.hpp"
#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

extern "C" {
void sgemm_(const char*, const char*, const int*, const int*, const int*, const void*, const void*, const int*,
            const void*, const int*, const void*, void*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const void*, const void*, const int*,
            const void*, const int*, const void*, void*, const int*);
void cgemm_(const char*, const char*, const int*, const int*, const int*, const void*, const void*, const int*,
            const void*, const int*, const void*, void*, const int*);
void zgemm_(const char*, const char*, const int*, const int*, const int*, const void*, const void*, const int*,
            const void*, const int*, const void*, void*, const int*);
}

namespace frond::bench {

namespace {

template <class T>
constexpr auto library_gemm() {
    if constexpr (is_complex<T>)
        return sizeof(T) == 8 ? &cgemm_ : &zgemm_;
    else
        return sizeof(T) == 4 ? &sgemm_ : &dgemm_;
}

template <class T>
void print_rate(const char* kernel, index_t n, double products, double seconds, double error, Run& run) {
    std::printf("  %-22s %5d %8.1f Gflop/s %10.1f us   error %.0e\n", kernel, n,
                flops_per_product<T>() * products / seconds * 1e-9, seconds * 1e6, run.checked<T>(error, n));
    std::fflush(stdout);
}

/// Largest |x - y| over the lower triangle or the whole.
template <class T>
double difference(const Block<T>& x, const Block<T>& y, bool lower) {
    double worst = 0;
    for (index_t j = 0; j < x.cols; ++j)
        for (index_t i = lower ? j : 0; i < x.rows; ++i)
            worst = std::max<double>(worst, std::abs(x.view()(i, j) - y.view()(i, j)));
    return worst;
}

/// C - A B^H by the BLAS, to compare with.
template <class T>
Block<T> expected_update(const Block<T>& a, const Block<T>& b, bool transposed, Block<T> c) {
    const int n = a.rows;
    const T one = 1, minus = -1;
    library_gemm<T>()("N", transposed ? (is_complex<T> ? "C" : "T") : "N", &n, &n, &n, &minus, a.values.data(), &n,
                      b.values.data(), &n, &one, c.values.data(), &n);
    return c;
}

template <class T>
void bench_updates(index_t n, Run& run) {
    const double cube = static_cast<double>(n) * n * n;
    const auto a = random_block<T>(n, n, 0, 2), b = random_block<T>(n, n, 0, 3);
    const auto start = random_block<T>(n, n, 0, 4);
    auto c = start;
    const auto time = [&](const char* name, double products, bool transposed, bool lower, auto call) {
        c = start;
        call();
        const double error = difference(c, expected_update(a, b, transposed, start), lower);
        print_rate<T>(name, n, products, median_seconds(call), error, run);
    };
    time("update_general", cube, false, false, [&] { cpu::update_general<T>(a.view(), b.view(), c.view()); });
    time("update_transposed", cube, true, false,
         [&] { cpu::update_transposed<T>(a.view(), b.view(), true, c.view()); });
    time("update_lower", cube / 2, true, true, [&] { cpu::update_lower<T>(a.view(), b.view(), true, c.view()); });
    std::printf("  %-22s %5d %8.1f Gflop/s\n", "BLAS gemm", n, gemm_rate<T>(n));
}

/// Largest entry of X R - A, R = L^H, U: by the BLAS, since the oracle's loops take too long here.
template <class T>
double right_residual(const Block<T>& x, const Block<T>& r, bool adjoint, const Block<T>& a) {
    Block<T> zero(a.rows, a.cols);
    const auto product = expected_update(x, r, adjoint, a);
    return difference(product, zero, false);
}

template <class T>
Block<T> triangle(const Block<T>& a, bool lower, bool unit) {
    Block<T> t(a.rows, a.cols);
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = 0; i < a.rows; ++i)
            if (i == j || (i > j) == lower) t.view()(i, j) = i == j && unit ? T(1) : a.view()(i, j);
    return t;
}

template <class T>
void bench_panels(index_t n, Run& run) {
    const double products = 0.5 * n * n * n;
    auto l = random_block<T>(n, n, 0, 5);
    for (T& x : l.values) x /= static_cast<real_t<T>>(n);
    for (index_t j = 0; j < n; ++j) l.view()(j, j) = 1;
    const auto a = random_block<T>(n, n, 0, 6);
    auto x = a, x_d = a;
    std::vector<index_t> perm(static_cast<std::size_t>(n));
    std::iota(perm.begin(), perm.end(), 0);
    std::vector<T> pivots(2 * static_cast<std::size_t>(n), T(0)), work(static_cast<std::size_t>(n));
    for (index_t k = 0; k < n; ++k) pivots[2 * static_cast<std::size_t>(k)] = 1;
    const auto time = [&](const char* name, bool lower, auto call) {
        x = a;
        call();
        const double error = right_residual(x, triangle(l, lower, true), lower, a);
        print_rate<T>(name, n, products, median_seconds_restoring([&] { x = a; }, call), error, run);
    };
    time("solve_panel_llt", true, [&] { cpu::solve_panel_llt<T>(l.view(), x.view()); });
    time("solve_panel_ldlt", true,
         [&] { cpu::solve_panel_ldlt<T>(l.view(), true, pivots.data(), perm.data(), x.view(), x_d.view()); });
    time("solve_panel_lu_lower", false, [&] { cpu::solve_panel_lu_lower<T>(l.view(), x.view()); });
    x = a;
    cpu::solve_panel_lu_upper<T>(l.view(), perm.data(), x.view(), work.data());
    const double error = difference(expected_update(triangle(l, true, true), x, false, a), Block<T>(n, n), false);
    print_rate<T>(
        "solve_panel_lu_upper", n, products,
        median_seconds_restoring([&] { x = a; },
                                 [&] { cpu::solve_panel_lu_upper<T>(l.view(), perm.data(), x.view(), work.data()); }),
        error, run);
}

/// The same for diagonal tiles; random indefinite ones, so that pivots move.
template <class T>
void bench_factors(index_t n, Run& run) {
    const double cube = static_cast<double>(n) * n * n;
    const auto definite = random_block<T>(n, n, 2.0 * n, 7), indefinite = random_block<T>(n, n, 0, 8);
    auto x = definite;
    std::vector<index_t> perm(static_cast<std::size_t>(n));
    std::vector<T> pivots(2 * static_cast<std::size_t>(n));
    std::vector<T> work(static_cast<std::size_t>(std::max(cpu::factor_ldlt_workspace(n), cpu::factor_lu_workspace(n))));
    PivotReport report;
    const auto time = [&](const char* name, const Block<T>& a, double products, auto call) {
        print_rate<T>(name, n, products, median_seconds_restoring([&] { x = a; }, call), 0, run);
    };
    time("factor_llt", definite, cube / 6, [&] { cpu::factor_llt<T>(x.view(), report); });
    const auto ldlt = [&] { cpu::factor_ldlt<T>(x.view(), true, {}, pivots.data(), perm.data(), work.data(), report); };
    time("factor_ldlt, definite", definite, cube / 6, ldlt);
    time("factor_ldlt, random", indefinite, cube / 6, ldlt);
    const auto lu = [&] { cpu::factor_lu<T>(x.view(), {}, perm.data(), work.data(), report); };
    time("factor_lu, dominant", definite, cube / 3, lu);
    time("factor_lu, random", indefinite, cube / 3, lu);
}

}  // namespace

template <class T>
double gemm_rate(index_t order) {
    const auto a = random_block<T>(order, order, 0), b = a;
    auto c = a;
    const T one = 1, minus = -1;
    const int n = order;
    const double seconds = median_seconds([&] {
        library_gemm<T>()("N", "T", &n, &n, &n, &minus, a.values.data(), &n, b.values.data(), &n, &one, c.values.data(),
                          &n);
    });
    return flops_per_product<T>() * order * order * order / seconds * 1e-9;
}

template <class T>
void bench_tiles(const char* scalar, Run& run) {
    std::printf("\ntile kernels, %s\n", scalar);
    for (const index_t n : {64, 128, 256, 384, 512}) {
        if (!run.takes(n)) continue;
        bench_updates<T>(n, run);
        bench_panels<T>(n, run);
        bench_factors<T>(n, run);
    }
}

#define FROND_INSTANTIATE(T)               \
    template double gemm_rate<T>(index_t); \
    template void bench_tiles<T>(const char*, Run&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
