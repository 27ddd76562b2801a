// SPDX-License-Identifier: BSD-3-Clause
// Kernels bound by memory: extend-add, and substitution with one and several right-hand sides.
#include "bench_kernels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "measure.hpp"
#include "problem.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace frond::bench {

namespace {

/// n rows of a front of order 2 n in runs of the given length.
std::vector<index_t> rows_in_runs(index_t n, index_t run) {
    std::vector<index_t> rows(static_cast<std::size_t>(n));
    for (index_t i = 0; i < n; ++i) rows[static_cast<std::size_t>(i)] = i / run * 2 * run + i % run;
    return rows;
}

template<class T>
double sum_of(const Block<T>& a) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < a.values.size(); ++i)
        sum += static_cast<double>(real_part(a.values[i]));
    return sum;
}

template<class T>
void bench_extend_add(index_t n, index_t run) {
    const index_t nfront = 2 * n + 2 * run, npiv = nfront / 4;
    const auto rows = rows_in_runs(n, run);
    const auto child = random_block<T>(n, n, 0);
    Block<T> panel(nfront, npiv), upper(npiv, nfront - npiv),
        contribution(nfront - npiv, nfront - npiv);
    const auto full = [&] {
        cpu::extend_add_full<T>(child.view(), rows.data(), panel.view(), upper.view(),
                                contribution.view());
    };
    const auto lower = [&] {
        cpu::extend_add_lower<T>(child.view(), rows.data(), panel.view(), contribution.view());
    };
    full();
    const double expected = sum_of(child);
    const double error = std::abs(sum_of(panel) + sum_of(upper) + sum_of(contribution) - expected);
    const double bytes = 3.0 * sizeof(T) * n * n; // child and target read, target written
    std::printf("  extend_add n %4d runs %3d: lower %6.1f GB/s, full %6.1f GB/s   error %.0e\n", n,
                run, bytes / 2 / median_seconds(lower) * 1e-9, bytes / median_seconds(full) * 1e-9,
                error);
}

template<class T>
void bench_substitution(Factorization kind, const char* name, index_t npiv, index_t nfront,
                        index_t nrhs) {
    const index_t ncb = nfront - npiv;
    auto panel = random_block<T>(nfront, npiv, 0);
    for (T& v : panel.values) v /= static_cast<real_t<T>>(nfront);
    for (index_t j = 0; j < npiv; ++j) panel.view()(j, j) = 1;
    const auto upper = random_block<T>(kind == Factorization::lu ? npiv : 0, ncb, 0);
    std::vector<index_t> perm(static_cast<std::size_t>(npiv));
    std::iota(perm.begin(), perm.end(), 0);
    auto x = random_block<T>(npiv, nrhs, 0), y = random_block<T>(ncb, nrhs, 0);
    const double forward = median_seconds(
        [&] { cpu::forward_front<T>(kind, panel.view(), perm.data(), x.view(), y.view()); });
    const double backward = median_seconds([&] {
        cpu::backward_front<T>(kind, panel.view(), upper.view(), perm.data(), y.view(), x.view());
    });
    const double triangle = 0.5 * npiv * npiv, entries = triangle + static_cast<double>(ncb) * npiv;
    const double rate = nrhs == 1 ? sizeof(T) * entries : flops_per_product<T>() * entries * nrhs;
    std::printf("  %-4s npiv %4d nfront %4d rhs %3d: forward %6.1f, backward %6.1f %s\n", name,
                npiv, nfront, nrhs, rate / forward * 1e-9, rate / backward * 1e-9,
                nrhs == 1 ? "GB/s" : "Gflop/s");
}

} // namespace

template<class T>
void bench_memory(const char* scalar) {
    std::printf("\nmemory-bound kernels, %s\n", scalar);
    for (const index_t n : {10, 40, 100, 400, 1500})
        for (const index_t run : {1, 4, 16}) bench_extend_add<T>(n, run);
    constexpr index_t sizes[][2] = {{1, 5}, {4, 20}, {16, 60}, {64, 200}, {256, 800}, {1000, 3000}};
    for (const auto& [npiv, nfront] : sizes)
        for (const index_t nrhs : {1, 16}) {
            bench_substitution<T>(Factorization::llt, "LL^H", npiv, nfront, nrhs);
            bench_substitution<T>(Factorization::lu, "LU", npiv, nfront, nrhs);
        }
}

#define FROND_INSTANTIATE(T) template void bench_memory<T>(const char*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::bench
