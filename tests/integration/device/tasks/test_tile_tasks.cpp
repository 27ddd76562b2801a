// SPDX-License-Identifier: BSD-3-Clause
// The tile tasks leave the same on a device as on a core, up to rounding, and on a core what it left before.
#include "frond/codelets/workspace_pool.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/second_pass.hpp"
#include "frond/gpu/devices.hpp"
#include "needs_device.hpp"
#include "run_both.hpp"
#include "scalar_lists.hpp"
#include "task_buffers.hpp"
#include "tolerance.hpp"
#include "tasks/assembly/assemble_tile.hpp"
#include "tasks/panel/solve_panel.hpp"
#include "tasks/panel/update_tile.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
double largest_difference(Tile<T>& a, Tile<T>& b, bool lower) {
    double largest = 0;
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = lower ? j : 0; i < a.rows; ++i) {
            const double d = std::abs(a(i, j) - b(i, j));
            largest = d <= largest ? largest : d;  // NaN stays
        }
    return largest;
}

/// Runs the task on a core and on workers of `where`, and compares all tiles; `size` bounds the sums behind each entry.
template <class T, class Arguments>
void check_same(std::uint32_t where, const starpu_codelet& codelet, const Arguments& arguments,
                const Outcome<T>& before, double operations, double size, int record_at = -1, bool lower = false) {
    Outcome<T> on_core = before, there = before;
    run_on(STARPU_CPU, codelet, arguments, on_core, record_at, STARPU_R);
    bool changed = false;
    for (std::size_t t = 0; t < before.tiles.size(); ++t)
        changed = changed || on_core.tiles[t].value != before.tiles[t].value;
    CHECK(changed);
    run_on(where, codelet, arguments, there, record_at, STARPU_R);
    const double bound = 8 * operations * std::numeric_limits<real_t<T>>::epsilon() * size;
    for (std::size_t t = 0; t < before.tiles.size(); ++t) {
        CAPTURE(t);
        CHECK(largest_difference(on_core.tiles[t], there.tiles[t], lower) <= bound);
    }
}

/// A well-conditioned diagonal tile with its pivot record, factored on the host.
template <class T>
struct FactoredDiagonal {
    Tile<T> tile;
    Bytes record;

    FactoredDiagonal(Factorization kind, index_t n)
        : tile(n, n, STARPU_R, 11), record(static_cast<std::size_t>(PivotRecord<T>::bytes(n))) {
        for (index_t j = 0; j < n; ++j) {
            tile(j, j) = T(static_cast<real_t<T>>(2 * n));
            if (kind == Factorization::ldlt && j % 5 == 0 && j + 1 < n) {
                tile(j, j) = T(0);  // a 2x2 pivot with the next
                tile(j + 1, j) = T(static_cast<real_t<T>>(2 * n));
            }
        }
        const auto parts = PivotRecord<T>::at(record.data(), n);
        PivotReport report;
        PivotRule rule;
        rule.threshold = 0.01;
        rule.smallest_pivot = 1;
        std::vector<T> work(
            static_cast<std::size_t>(std::max(cpu::factor_ldlt_workspace(n), cpu::factor_lu_workspace(n))));
        if (kind == Factorization::llt)
            cpu::factor_llt(tile.view(), report);
        else if (kind == Factorization::lu)
            cpu::factor_lu(tile.view(), rule, parts.perm, work.data(), report, parts.replaced);
        else
            cpu::factor_ldlt(tile.view(), kind == Factorization::ldlh, rule, parts.pivots, parts.perm, work.data(),
                             report, parts.replaced);
        REQUIRE(report.failed_column < 0);
    }
};

/// What a second pass left that eliminated `failed` columns with large diagonals above ncb contribution rows.
template <class T>
cpu::SecondPass<T> eliminated_columns(Factorization kind, index_t failed, index_t ncb) {
    const Tile<T> a(failed + ncb, failed, STARPU_R, 31), b(failed, ncb, STARPU_R, 32);
    cpu::SecondPassColumns<T> columns;
    columns.ncb = ncb;
    for (index_t j = 0; j < failed; ++j) columns.column_position.push_back(j);
    columns.row_position = columns.column_position;
    columns.a.assign(a.value.begin(), a.value.end());
    for (index_t j = 0; j < failed; ++j)
        columns.a[static_cast<std::size_t>(j) * static_cast<std::size_t>(failed + ncb + 1)] += T(8);
    if (kind == Factorization::lu) columns.b.assign(b.value.begin(), b.value.end());
    cpu::SecondPass<T> second_pass;
    second_pass.ncb = ncb;
    cpu::DelayedColumns<T> delayed;
    PivotReport report;
    PivotRule rule;
    rule.threshold = 0.01;
    cpu::run_second_pass<T>(kind, false, std::move(columns), rule, second_pass, delayed, report);
    REQUIRE(second_pass.kept == failed);
    return second_pass;
}

template <class T>
void check_updates_on(std::uint32_t where) {
    const index_t m = 130, n = 297, k = 61;
    UpdateArguments a;
    a.shape = UpdateShape::general;
    check_same<T>(where, update_tile_codelet<T>(), a,
                  {{{m, k, STARPU_R, 1}, {k, n, STARPU_R, 2}, {m, n, STARPU_RW, 3}}, {}, {}, {}}, k, 2 * k);
    for (const bool adjoint : {false, true}) {
        a.adjoint = adjoint;
        a.same = false;
        a.shape = UpdateShape::transposed;
        // The right tile is one of the panel backup: wider than the panel.
        check_same<T>(where, update_tile_codelet<T>(), a,
                      {{{m, k, STARPU_R, 4}, {n, k + 7, STARPU_R, 5}, {m, n, STARPU_RW, 6}}, {}, {}, {}}, k, 2 * k);
        a.shape = UpdateShape::lower;
        a.same = true;
        if (is_complex<T> && !adjoint) continue;  // L L^H is Hermitian
        Tile<T> target(n, n, STARPU_RW, 8);
        for (index_t j = 0; j < n; ++j) target(j, j) = T(real_part(target(j, j)));
        check_same<T>(where, update_tile_codelet<T>(), a, {{{n, k, STARPU_R, 7}, target}, {}, {}, {}}, k, 2 * k, -1,
                      true);
    }
}

/// update_tile of the last panel also subtracts what the second pass eliminated.
template <class T>
void check_last_updates_on(std::uint32_t where) {
    const index_t m = 90, n = 75, k = 40, failed = 6, ncb = 200;
    for (const bool lu : {true, false})
        for (const bool lower : {false, true}) {
            if (lu && lower) continue;
            const index_t cols = lower ? m : n;
            const cpu::SecondPass<T> second_pass =
                eliminated_columns<T>(lu ? Factorization::lu : Factorization::ldlt, failed, ncb);
            UpdateArguments a;
            a.shape = lu ? UpdateShape::general : lower ? UpdateShape::lower : UpdateShape::transposed;
            a.second_pass = true;
            a.kind = lu ? Factorization::lu : Factorization::ldlt;
            a.first_row = 100;
            a.first_column = lower ? 100 : 7;
            const Tile<T> left(m, k, STARPU_R, 1), right(lu ? k : cols, lu ? cols : k, STARPU_R, 2);
            Tile<T> expected(m, cols, STARPU_RW, 3);
            const auto tile = [](const Tile<T>& t) {
                return DenseView<const T>{t.value.data(), t.rows, t.cols, t.rows};
            };
            if (lu)
                cpu::update_general<T>(tile(left), tile(right), expected.view());
            else if (lower)
                cpu::update_lower<T>(tile(left), tile(right), false, expected.view());
            else
                cpu::update_transposed<T>(tile(left), tile(right), false, expected.view());
            const std::vector<T> without = expected.value;
            cpu::update_contribution<T>(a.kind, second_pass, a.first_row, a.first_column, lower, expected.view());
            CHECK(expected.value != without);
            Tile<T> target(m, cols, STARPU_RW, 3);
            cpu::SecondPass<T> of_task = second_pass;
            TaskBuffers buffers;
            buffers.add(tile(left));
            buffers.add(tile(right));
            buffers.add(target.view(), STARPU_RW);
            buffers.add_object(of_task, STARPU_R);
            buffers.run(where, update_tile_codelet<T>(), a);
            const double bound =
                where == STARPU_CPU ? 0 : 16 * (k + failed) * std::numeric_limits<real_t<T>>::epsilon();
            CHECK(largest_difference(expected, target, lower) <= bound * (k + failed));
        }
}

template <class T>
void check_panels_on(std::uint32_t where) {
    const index_t n = 70, m = 113;
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::ldlh, Factorization::lu})
        for (const bool upper : {false, true}) {
            if (upper && kind != Factorization::lu) continue;
            CAPTURE(static_cast<int>(kind));
            CAPTURE(upper);
            const FactoredDiagonal<T> diagonal(kind, n);
            SolvePanelArguments a;
            a.kind = kind;
            a.upper = upper;
            WorkspacePool pool(1 << 20);
            a.workspaces = &pool;
            Outcome<T> data{{diagonal.tile}, diagonal.record, {}, {}};
            data.tiles.push_back(upper ? Tile<T>(n, m, STARPU_RW, 21) : Tile<T>(m, n, STARPU_RW, 21));
            const bool has_record = kind != Factorization::llt;
            const bool limited = has_record && !upper;
            if (limited) {
                data.tiles[1](5, 40) = T(static_cast<real_t<T>>(1e5));  // |l| too large from there on
                data.tiles.push_back(Tile<T>(m, kind == Factorization::lu ? n : n + 5, STARPU_RW, 22));
                for (T& v : data.tiles.back().value) v = T(0);
            }
            data.pivots.begin(n);
            if (limited) a.bound = 100;
            const double size = limited ? 1e5 : 10;
            check_same<T>(where, solve_panel_codelet<T>(), a, data, 4.0 * n, size, has_record ? 1 : -1);
            if (!limited) continue;
            Outcome<T> on_core = data, there = data;
            run_on(STARPU_CPU, solve_panel_codelet<T>(), a, on_core, 1, STARPU_R);
            run_on(where, solve_panel_codelet<T>(), a, there, 1, STARPU_R);
            const PanelLimit &limit = on_core.pivots.limit, &same = there.pivots.limit;
            CHECK(limit.columns.load() < n);
            CHECK(limit.largest_l.load() > 0);
            CHECK(limit.largest_l.load() <= a.bound);
            CHECK(same.columns.load() == limit.columns.load());
            // On a device it may be of columns behind the first one that fails, too.
            CHECK(same.largest_l.load() >= (1 - 1e-3) * limit.largest_l.load());
            CHECK(same.largest_l.load() <= a.bound);
        }
}

/// Entries of A, then pieces of children.
template <class T>
void check_assembly_on(std::uint32_t where) {
    const index_t m = 40, n = 30;
    TileAssembly plan;
    plan.row_begin = 100;
    plan.column_begin = 200;
    EntryMap map;
    std::vector<T> values;
    Random random(5);
    constexpr index_t of_others = 4;  // entries of the map before those of the unit
    map.row.assign(of_others, 0);
    map.column.assign(of_others, 0);
    for (index_t e = 0; e < 25; ++e) {
        plan.entries.push_back(of_others + e);
        map.row.push_back(100 + (7 * e) % m);
        map.column.push_back(200 + e);
        values.push_back(random.value<T>());
    }
    std::vector<index_t> relative;
    for (index_t r = 0; r < 20; ++r) relative.push_back(r < 10 ? 200 + 3 * r : 100 + 2 * r - (r > 15 ? 1 : 0));
    ChildPiece piece;
    piece.relative_rows = relative.data();
    piece.row_begin = 10;
    piece.row_end = 20;
    piece.column_begin = 2;
    piece.column_end = 9;
    piece.buffer_row = 8;
    piece.buffer_column = 1;
    plan.pieces = {piece, piece};
    AssembleArguments a;
    a.assembly = &plan;
    a.map = &map;
    a.first_entry = of_others;
    a.last_piece = 2;
    check_same<T>(where, assemble_tile_codelet<T>(), a,
                  {{{m, n, STARPU_W, 1}, {12, 9, STARPU_R, 2}, {12, 9, STARPU_R, 3}}, {}, {}, values}, 3, 3);
    a.clear = false;
    a.first_piece = 1;
    check_same<T>(where, assemble_tile_codelet<T>(), a, {{{m, n, STARPU_RW, 1}, {12, 9, STARPU_R, 2}}, {}, {}, values},
                  3, 3);
    // A diagonal tile of a symmetric front takes the lower triangle only.
    for (index_t r = 0; r < 20; ++r) relative[static_cast<std::size_t>(r)] = 100 + 2 * r;
    plan.lower = true;
    plan.column_begin = 100;
    plan.entries.clear();
    piece.row_begin = piece.column_begin = piece.buffer_row = piece.buffer_column = 0;
    piece.row_end = piece.column_end = 15;
    plan.pieces = {piece};
    a.clear = true;
    a.first_piece = 0;
    a.last_piece = 1;
    check_same<T>(where, assemble_tile_codelet<T>(), a, {{{m, m, STARPU_W, 1}, {15, 15, STARPU_R, 2}}, {}, {}, values},
                  3, 3);
}

}  // namespace

TEST_CASE("the session says what it does with devices") {
    const SessionInfo info = device_session().info();
    CHECK(info.gpus <= gpu::device_count());
    if (info.gpus > 0) {
        CHECK(info.scheduler == "dmdas");
        CHECK(info.cuda_workers >= info.gpus);
    } else if (gpu::device_count() > 0) {
        CHECK(!info.gpu_advice.empty());
    } else {
        CHECK(info.cuda_workers == 0);
    }
}

TEST_CASE_TEMPLATE_DEFINE("update_tile on a core again", T, core_updates_alike) { check_updates_on<T>(STARPU_CPU); }

TEST_CASE_TEMPLATE_APPLY(core_updates_alike, Scalars);

TEST_CASE_TEMPLATE_DEFINE("update_tile of the last panel subtracts the second pass, on a core", T, core_last_updates) {
    check_last_updates_on<T>(STARPU_CPU);
}

TEST_CASE_TEMPLATE_APPLY(core_last_updates, Scalars);

TEST_CASE_TEMPLATE_DEFINE("solve_panel with the limit of a threshold on a core again", T, core_panels_alike) {
    check_panels_on<T>(STARPU_CPU);
}

TEST_CASE_TEMPLATE_APPLY(core_panels_alike, Scalars);

TEST_CASE_TEMPLATE_DEFINE("assemble_tile on a core again", T, core_assembly_alike) { check_assembly_on<T>(STARPU_CPU); }

TEST_CASE_TEMPLATE_APPLY(core_assembly_alike, Scalars);

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("update_tile on the device as on a core", T, device_updates_alike) {
    check_updates_on<T>(device_workers);
}

TEST_CASE_TEMPLATE_APPLY(device_updates_alike, Scalars);

TEST_CASE_TEMPLATE_DEFINE("update_tile of the last panel subtracts the second pass, on the device", T,
                          device_last_updates) {
    check_last_updates_on<T>(device_workers);
}

TEST_CASE_TEMPLATE_APPLY(device_last_updates, Scalars);

TEST_CASE_TEMPLATE_DEFINE("solve_panel with the limit of a threshold on the device as on a core", T,
                          device_panels_alike) {
    check_panels_on<T>(device_workers);
}

TEST_CASE_TEMPLATE_APPLY(device_panels_alike, Scalars);

TEST_CASE_TEMPLATE_DEFINE("assemble_tile on the device as on a core", T, device_assembly_alike) {
    check_assembly_on<T>(device_workers);
}

TEST_CASE_TEMPLATE_APPLY(device_assembly_alike, Scalars);

TEST_SUITE_END();
