// SPDX-License-Identifier: BSD-3-Clause
// Kernels bound by memory: extend-add, and substitution with one and several right-hand sides.
#include "bench_kernels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
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

template <class T>
double sum_of(const Block<T>& a) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < a.values.size(); ++i) sum += static_cast<double>(real_part(a.values[i]));
    return sum;
}

template <class T>
void bench_extend_add(index_t n, index_t length, Run& run) {
    const index_t nfront = 2 * n + 2 * length, npiv = nfront / 4;
    const auto rows = rows_in_runs(n, length);
    const auto child = random_block<T>(n, n, 0);
    Block<T> panel(nfront, npiv), upper(npiv, nfront - npiv), contribution(nfront - npiv, nfront - npiv);
    const auto full = [&] {
        cpu::extend_add_full<T>(child.view(), rows.data(), panel.view(), upper.view(), contribution.view());
    };
    const auto lower = [&] { cpu::extend_add_lower<T>(child.view(), rows.data(), panel.view(), contribution.view()); };
    full();
    const double expected = sum_of(child);
    const double error = run.checked<T>(std::abs(sum_of(panel) + sum_of(upper) + sum_of(contribution) - expected), n);
    const double bytes = 3.0 * sizeof(T) * n * n;  // child and target read, target written
    std::printf("  extend_add n %4d runs %3d: lower %6.1f GB/s, full %6.1f GB/s   error %.0e\n", n, length,
                bytes / 2 / median_seconds(lower) * 1e-9, bytes / median_seconds(full) * 1e-9, error);
}

/// A piece of a child's contribution into one tile of its parent, as assemble_tile adds it.
template <class T>
void bench_piece(index_t n, index_t length, Run& run) {
    const auto rows = rows_in_runs(n, length);
    const auto child = random_block<T>(n, n, 0);
    Block<T> tile(2 * n + length, 2 * n + length);
    ChildPiece piece;
    piece.relative_rows = rows.data();
    piece.row_end = piece.column_end = n;
    const auto add = [&](bool lower) {
        return [&, lower] { cpu::extend_add_piece<T>(piece, child.view(), 0, 0, lower, tile.view()); };
    };
    add(false)();
    double error = std::abs(sum_of(tile) - sum_of(child));
    for (index_t j = 0; j < n; ++j)
        for (index_t i = 0; i < n; ++i)
            error = std::max<double>(error, std::abs(tile.view()(rows[static_cast<std::size_t>(i)],
                                                                 rows[static_cast<std::size_t>(j)]) -
                                                     child.view()(i, j)));
    const double bytes = 3.0 * sizeof(T) * n * n;
    std::printf("  piece      n %4d runs %3d: lower %6.1f GB/s, full %6.1f GB/s   error %.0e\n", n, length,
                bytes / 2 / median_seconds(add(true)) * 1e-9, bytes / median_seconds(add(false)) * 1e-9,
                run.checked<T>(error, n));
}

/// Y - A X by tiles, as the solve of a front on tiles does it; checked with X, Y of small integers.
template <class T>
void bench_product(index_t n, index_t nrhs, Run& run) {
    const auto a = random_block<T>(n, n, 0);
    Block<T> x(n, nrhs), y(n, nrhs);
    std::fill(x.values.begin(), x.values.end(), T(1));
    cpu::subtract_product<T>(a.view(), Operation::none, x.view(), y.view());
    T sum = 0, expected = 0;
    for (index_t i = 0; i < n; ++i) sum += y.view()(i, nrhs - 1);
    for (std::size_t i = 0; i + 1 < a.values.size(); ++i) expected -= a.values[i];
    const double error = run.checked<T>(std::abs(sum - expected), n);
    const double entries = static_cast<double>(n) * n;
    const double rate = nrhs == 1 ? sizeof(T) * entries : flops_per_product<T>() * entries * nrhs;
    const auto seconds = [&](Operation op) {
        return median_seconds([&] { cpu::subtract_product<T>(a.view(), op, x.view(), y.view()); });
    };
    std::printf("  product    tile %4d rhs %3d: A %6.1f, A^H %6.1f %s   error %.0e\n", n, nrhs,
                rate / seconds(Operation::none) * 1e-9, rate / seconds(Operation::adjoint) * 1e-9,
                nrhs == 1 ? "GB/s" : "Gflop/s", error);
}

/// |M x - b| / |b| after forward and backward, b = M x of x = (1, ..., 1): M = L L^H or L U, with y = 0.
template <class T>
double substitution_error(Factorization kind, DenseView<const T> panel, DenseView<const T> upper,
                          const std::vector<index_t>& perm) {
    const index_t n = panel.cols;
    Block<T> x(n, 1), y(panel.rows - n, 1), ux(n, 1);
    for (index_t k = 0; k < n; ++k)  // u x, u = L^H or U
        for (index_t j = k; j < n; ++j)
            ux.view()(k, 0) += kind == Factorization::llt ? conjugate(panel(j, k)) : panel(k, j);
    for (index_t i = 0; i < n; ++i) {
        x.view()(i, 0) = kind == Factorization::llt ? T(0) : ux.view()(i, 0);
        for (index_t k = 0; k < i + (kind == Factorization::llt); ++k) x.view()(i, 0) += panel(i, k) * ux.view()(k, 0);
    }
    cpu::forward_front<T>(kind, panel, perm.data(), x.view(), y.view());
    std::fill(y.values.begin(), y.values.end(), T(0));
    cpu::backward_front<T>(kind, panel, upper, perm.data(), y.view(), x.view());
    double error = 0;
    for (index_t i = 0; i < n; ++i) error = std::max<double>(error, std::abs(x.view()(i, 0) - T(1)));
    return error;
}

template <class T>
void bench_substitution(Factorization kind, const char* name, index_t npiv, index_t nfront, index_t nrhs, Run& run) {
    const index_t ncb = nfront - npiv;
    auto panel = random_block<T>(nfront, npiv, 0);
    for (T& v : panel.values) v /= static_cast<real_t<T>>(nfront);
    for (index_t j = 0; j < npiv; ++j) panel.view()(j, j) = 1;
    const auto upper = random_block<T>(kind == Factorization::lu ? npiv : 0, ncb, 0);
    std::vector<index_t> perm(static_cast<std::size_t>(npiv));
    std::iota(perm.begin(), perm.end(), 0);
    const double error = run.checked<T>(substitution_error<T>(kind, panel.view(), upper.view(), perm), nfront);
    auto x = random_block<T>(npiv, nrhs, 0), y = random_block<T>(ncb, nrhs, 0);
    const double forward =
        median_seconds([&] { cpu::forward_front<T>(kind, panel.view(), perm.data(), x.view(), y.view()); });
    const double backward = median_seconds(
        [&] { cpu::backward_front<T>(kind, panel.view(), upper.view(), perm.data(), y.view(), x.view()); });
    const double triangle = 0.5 * npiv * npiv, entries = triangle + static_cast<double>(ncb) * npiv;
    const double rate = nrhs == 1 ? sizeof(T) * entries : flops_per_product<T>() * entries * nrhs;
    std::printf("  %-4s npiv %4d nfront %4d rhs %3d: forward %6.1f, backward %6.1f %s   error %.0e\n", name, npiv,
                nfront, nrhs, rate / forward * 1e-9, rate / backward * 1e-9, nrhs == 1 ? "GB/s" : "Gflop/s", error);
}

}  // namespace

template <class T>
void bench_memory(const char* scalar, Run& run) {
    std::printf("\nmemory-bound kernels, %s\n", scalar);
    for (const index_t n : {10, 40, 100, 400, 1500})
        for (const index_t length : {1, 4, 16}) {
            if (!run.takes(n)) continue;
            bench_extend_add<T>(n, length, run);
            bench_piece<T>(n, length, run);
        }
    constexpr index_t sizes[][2] = {{1, 5}, {4, 20}, {16, 60}, {64, 200}, {256, 800}, {1000, 3000}};
    for (const index_t n : {64, 256, 512})
        for (const index_t nrhs : {1, 16})
            if (run.takes(n)) bench_product<T>(n, nrhs, run);
    for (const auto& [npiv, nfront] : sizes)
        for (const index_t nrhs : {1, 16}) {
            if (!run.takes(nfront)) continue;
            bench_substitution<T>(Factorization::llt, "LL^H", npiv, nfront, nrhs, run);
            bench_substitution<T>(Factorization::lu, "LU", npiv, nfront, nrhs, run);
        }
}

#define FROND_INSTANTIATE(T) template void bench_memory<T>(const char*, Run&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
