// SPDX-License-Identifier: BSD-3-Clause
// Rates of factor_front, each front against gemm with as many multiplications.
#include "bench_kernels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "measure.hpp"
#include "problem.hpp"

#include <cmath>
#include <cstdio>
#include <numeric>

namespace frond::bench {

namespace {

constexpr index_t front_sizes[][2] = {{1, 5},    {2, 10},    {4, 20},    {8, 40},     {16, 60},    {32, 100},
                                      {64, 200}, {128, 400}, {256, 800}, {512, 1500}, {1000, 3000}};

template <class T>
struct FrontProblem {
    Factorization kind;
    index_t npiv, nfront;
    Block<T> full, panel, upper, contribution;
    std::vector<T> pivots, workspace;
    std::vector<index_t> perm;

    FrontProblem(Factorization k, index_t n1, index_t n)
        : kind(k),
          npiv(n1),
          nfront(n),
          full(random_block<T>(n, n, n)),
          panel(n, n1),
          upper(n1, k == Factorization::lu ? n - n1 : 0),
          contribution(n - n1, n - n1),
          pivots(2 * static_cast<std::size_t>(n1)),
          workspace(static_cast<std::size_t>(cpu::factor_front_workspace(k, n1, n)) + 1),
          perm(static_cast<std::size_t>(n1)) {
        // Columns of pivot order 3, 1, 2 or so: searches run, few rows move.
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < j; ++i) full.view()(i, j) = conjugate(full.view()(j, i));
    }

    void restore() {
        const index_t n2 = nfront - npiv;
        std::copy_n(full.values.data(), panel.values.size() - 1, panel.values.data());
        for (index_t j = 0; j < n2; ++j) {
            const T* column = full.view().column(npiv + j);
            if (kind == Factorization::lu) std::copy_n(column, npiv, upper.view().column(j));
            std::copy_n(column + npiv, n2, contribution.view().column(j));
        }
    }

    void factor() {
        PivotReport report;
        cpu::factor_front<T>(kind, panel.view(), upper.view(), contribution.view(), {}, perm.data(), pivots.data(),
                             workspace.data(), report);
    }

    /// |L D U x - P A x| / |A x| over the pivot rows for x = (1, ..., 1): the result is a
    /// factorization.
    double error() {
        restore();
        factor();
        const bool symmetric = kind != Factorization::lu;
        std::vector<T> ux(static_cast<std::size_t>(npiv));
        for (index_t k = 0; k < npiv; ++k) ux[static_cast<std::size_t>(k)] = upper_row_sum(k, symmetric);
        double difference = 0, size = 0;
        for (index_t i = 0; i < npiv; ++i) {
            T left = kind == Factorization::llt ? T(0) : ux[static_cast<std::size_t>(i)], right = 0;
            for (index_t k = 0; k < i + (kind == Factorization::llt); ++k)
                left += panel.view()(i, k) * ux[static_cast<std::size_t>(k)];
            const index_t row = kind == Factorization::llt ? i : perm[static_cast<std::size_t>(i)];
            for (index_t j = 0; j < nfront; ++j) right += full.view()(row, j);
            difference = std::max<double>(difference, std::abs(left - right));
            size = std::max<double>(size, std::abs(right));
        }
        return difference / size;
    }

private:
    /// Row k of U, or of D L^H, times ones. (Test matrices are Hermitian with 1x1 pivots.)
    T upper_row_sum(index_t k, bool symmetric) {
        T sum = 0;
        if (!symmetric) {
            for (index_t j = k; j < npiv; ++j) sum += panel.view()(k, j);
            for (index_t j = 0; j < nfront - npiv; ++j) sum += upper.view()(k, j);
            return sum;
        }
        for (index_t i = k + 1; i < nfront; ++i) sum += conjugate(panel.view()(i, k));
        if (kind == Factorization::llt) return sum + conjugate(panel.view()(k, k));
        return (sum + T(1)) * pivots[2 * static_cast<std::size_t>(k)];
    }
};

}  // namespace

template <class T>
void bench_fronts(const char* scalar, Run& run) {
    std::printf("\nfactor_front, %s: Gflop/s (microseconds; error)\n", scalar);
    std::printf("%6s %6s %24s %24s %24s %12s\n", "npiv", "nfront", "LL^H", "LDL^H", "LU", "gemm");
    for (const auto& [npiv, nfront] : front_sizes) {
        if (!run.takes(nfront)) continue;
        std::printf("%6d %6d", npiv, nfront);
        for (const Factorization kind : {Factorization::llt, Factorization::ldlh, Factorization::lu}) {
            FrontProblem<T> problem(kind, npiv, nfront);
            const double error = run.checked<T>(problem.error(), nfront);
            const double seconds = median_seconds_restoring([&] { problem.restore(); }, [&] { problem.factor(); });
            const double flops = flops_per_product<T>() * front_products(kind != Factorization::lu, npiv, nfront);
            std::printf("   %6.1f (%8.2f; %.0e)", flops / seconds * 1e-9, seconds * 1e6, error);
        }
        const auto order = static_cast<index_t>(std::cbrt(front_products(true, npiv, nfront)) + 1);
        std::printf(" %12.1f\n", gemm_rate<T>(order));
        std::fflush(stdout);
    }
}

#define FROND_INSTANTIATE(T) template void bench_fronts<T>(const char*, Run&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
