// SPDX-License-Identifier: BSD-3-Clause
// Rates of the tile tasks on a card, through StarPU, with data that stay there.
#include "bench_kernels.hpp"
#include "device_tasks.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "frond/codelets/inverse_block.hpp"
#include "frond/codelets/workspace_pool.hpp"
#include "tasks/assembly/assemble_tile.hpp"
#include "tasks/panel/factor_diagonal.hpp"
#include "tasks/panel/solve_panel.hpp"
#include "tasks/panel/update_tile.hpp"

#include <cmath>
#include <cstdio>
#include <numeric>

namespace frond::bench {

namespace {

constexpr double constant = 0x1p-10;  // sums of its squares are exact for a long time

template <class T>
Block<T> filled(index_t m, index_t n, T value) {
    Block<T> a(m, n);
    std::fill(a.values.begin(), a.values.end(), value);
    return a;
}

/// Every factorization of it is itself, so that a task can be run on it again and again.
template <class T>
Block<T> identity(index_t n) {
    auto a = filled<T>(n, n, T(0));
    for (index_t j = 0; j < n; ++j) a.view()(j, j) = T(1);
    return a;
}

/// Largest difference, of the lower triangle; NaN stays.
template <class T>
double largest_difference(Block<T>& a, Block<T>& b) {
    double largest = 0;
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = std::min(j, a.rows); i < a.rows; ++i) {
            const double d = std::abs(a.view()(i, j) - b.view()(i, j));
            largest = d <= largest ? largest : d;
        }
    return largest;
}

template <class T>
void bench_update(const char* name, UpdateShape shape, index_t n, Run& run) {
    auto left = filled<T>(n, n, T(real_t<T>(constant))), right = left, target = filled<T>(n, n, T(0));
    DeviceTask task;
    task.add(left.view(), STARPU_R);
    task.add(right.view(), STARPU_R);
    task.add(target.view(), STARPU_RW);
    UpdateArguments a;
    a.shape = shape;
    const double seconds = task.median_seconds_of(update_tile_codelet<T>(), a);
    task.fetch();
    // Every entry is -n constant^2 for each run.
    const T entry = target.view()(n - 1, 0);
    auto expected = filled<T>(n, n, entry);
    const double error = run.checked<T>(largest_difference(target, expected) / std::abs(entry), n);
    if (!(real_part(entry) <= -n * constant * constant)) ++run.wrong;
    const double flops = shape == UpdateShape::lower ? update_lower_flops(n, n) : update_flops(n, n, n);
    print_device_rate(name, n, flops * flops_per_real<T>, "Gflop/s", seconds, error);
}

/// A diagonal tile with its record and inverted blocks, as factor_diagonal leaves them.
template <class T>
struct Diagonal {
    Block<T> tile;
    std::vector<unsigned char> record;
    Block<T> inverses;
    WorkspacePool pool{count_t{64} << 20};
    PivotOutcome outcome;

    Diagonal(Factorization kind, index_t n)
        : tile(identity<T>(n)),
          record(static_cast<std::size_t>(PivotRecord<T>::bytes(n))),
          inverses(std::min(n, inverse_block), kind == Factorization::lu ? 2 * n : n) {}
};

template <class T>
double bench_diagonal(const char* name, Factorization kind, Diagonal<T>& d, Run& run) {
    const index_t n = d.tile.cols;
    FactorDiagonalArguments a;
    a.kind = kind;
    a.rule.threshold = kind == Factorization::llt ? 0 : 0.01;
    a.rule.smallest_pivot = 1;
    a.workspaces = &d.pool;
    a.with_inverses = true;
    DeviceTask task;
    task.add(d.tile.view(), STARPU_RW);
    if (kind != Factorization::llt)
        task.add_record<T>(d.record, n, d.outcome, STARPU_W);
    else
        task.add_object(d.outcome, STARPU_W);
    task.add(d.inverses.view(), STARPU_W);
    const double seconds = task.median_seconds_of(factor_diagonal_codelet<T>(), a);
    task.fetch();
    auto expected = identity<T>(n);
    const double error = run.checked<T>(largest_difference(d.tile, expected), 0);
    const double flops = kind == Factorization::lu ? factor_lu_flops(n) : factor_symmetric_flops(n);
    print_device_rate(name, n, flops * flops_per_real<T>, "Gflop/s", seconds, error);
    return seconds;
}

template <class T>
void bench_panel(const char* name, Factorization kind, bool upper, Diagonal<T>& d, Run& run) {
    const index_t n = d.tile.cols;
    const auto before = random_block<T>(n, n, 0, 3);
    auto panel = before;
    auto panel_backup = filled<T>(n, n, T(0));
    const bool inverses_usable = d.outcome.inverses_usable;
    d.outcome.begin(n);
    d.outcome.inverses_usable = inverses_usable;
    SolvePanelArguments a;
    a.kind = kind;
    a.upper = upper;
    a.workspaces = &d.pool;
    a.with_inverses = true;
    const bool limited = kind != Factorization::llt && !upper;
    if (limited) a.bound = 100;
    DeviceTask task;
    task.add(d.tile.view(), STARPU_R);
    if (kind != Factorization::llt) task.add_record<T>(d.record, n, d.outcome, STARPU_R);
    task.add(panel.view(), STARPU_RW);
    if (limited) task.add(panel_backup.view(), STARPU_W);
    task.add(d.inverses.view(), STARPU_R);
    if (kind == Factorization::llt) task.add_object(d.outcome, STARPU_R);
    const double seconds = task.median_seconds_of(solve_panel_codelet<T>(), a);
    task.fetch();
    auto expected = before;
    const double error = run.checked<T>(largest_difference(panel, expected), 1);
    if (!inverses_usable || d.outcome.limit.columns.load() != n) ++run.wrong;
    print_device_rate(name, n, solve_panel_flops(n, n) * flops_per_real<T>, "Gflop/s", seconds, error);
}

/// A child of half the order scattered into a tile, whose entries it reads and writes.
template <class T>
void bench_assembly(index_t n, Run& run) {
    const index_t half = n / 2;
    std::vector<index_t> rows(static_cast<std::size_t>(half));
    for (index_t r = 0; r < half; ++r) rows[static_cast<std::size_t>(r)] = 2 * r;
    ChildPiece piece;
    piece.relative_rows = rows.data();
    piece.row_end = piece.column_end = half;
    TileAssembly plan;
    plan.pieces = {piece};
    const EntryMap none;
    AssembleArguments a;
    a.assembly = &plan;
    a.map = &none;
    a.last_piece = 1;
    a.clear = false;
    auto tile = filled<T>(n, n, T(0)), child = filled<T>(half, half, T(1));
    std::vector<T> entries;
    DeviceTask task;
    task.add(tile.view(), STARPU_RW);
    task.add(entries, STARPU_R);
    task.add(child.view(), STARPU_R);
    const double seconds = task.median_seconds_of(assemble_tile_codelet<T>(), a);
    task.fetch();
    auto expected = filled<T>(n, n, T(0));
    const T sum = tile.view()(0, 0);
    for (index_t j = 0; j < half; ++j)
        for (index_t i = 0; i < half; ++i) expected.view()(2 * i, 2 * j) = sum;
    const double error = run.checked<T>(largest_difference(tile, expected), 0);
    if (!(real_part(sum) >= 1)) ++run.wrong;
    print_device_rate("assemble_tile", n, 3.0 * half * half * sizeof(T), "GB/s", seconds, error);
}

}  // namespace

template <class T>
void bench_device_tiles(const char* scalar, Run& run) {
    std::printf("\ntile tasks on the card, %s: median wall-clock time of one in a chain\n", scalar);
    for (const index_t n : {128, 256, 512, 1024, 2048}) {
        if (!run.takes(n)) continue;
        bench_update<T>("update_tile, general", UpdateShape::general, n, run);
        bench_update<T>("update_tile, transposed", UpdateShape::transposed, n, run);
        bench_update<T>("update_tile, lower", UpdateShape::lower, n, run);
        Diagonal<T> llt(Factorization::llt, n), ldlt(Factorization::ldlt, n), lu(Factorization::lu, n);
        bench_diagonal<T>("factor_diagonal, L L^T", Factorization::llt, llt, run);
        bench_diagonal<T>("factor_diagonal, L D L^T", Factorization::ldlt, ldlt, run);
        bench_diagonal<T>("factor_diagonal, L U", Factorization::lu, lu, run);
        bench_panel<T>("solve_panel, L L^T", Factorization::llt, false, llt, run);
        bench_panel<T>("solve_panel, L D L^T", Factorization::ldlt, false, ldlt, run);
        bench_panel<T>("solve_panel, L U, left", Factorization::lu, false, lu, run);
        bench_panel<T>("solve_panel, L U, upper", Factorization::lu, true, lu, run);
        bench_assembly<T>(n, run);
    }
}

#define FROND_INSTANTIATE(T) template void bench_device_tiles<T>(const char*, Run&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
