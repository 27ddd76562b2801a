// SPDX-License-Identifier: BSD-3-Clause
// Tasks of a substitution leave the same on a device as on a core, up to rounding.
#include "frond/analysis/front_panels.hpp"
#include "needs_device.hpp"
#include "run_both.hpp"
#include "scalar_lists.hpp"
#include "tasks/solve/segments.hpp"
#include "tasks/solve/solve_diagonal_tile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

using namespace frond;
using namespace frond::test;

namespace {

/// The least change that a task makes to some entry, which is about 1.
constexpr double least_change = 1e-3;

/// Two codelets, for cores and for devices, with the same buffers before.
template <class T, class Arguments>
void check_places(starpu_codelet& (*codelet)(Place), const Arguments& arguments, const Outcome<T>& before, double bound,
                  int record_at = -1) {
    Outcome<T> on_core = before, there = before;
    run_on(STARPU_CPU, codelet(Place::any), arguments, on_core, record_at, STARPU_R);
    const starpu_codelet& of_devices = codelet(Place::device);
    run_on(of_devices.where, of_devices, arguments, there, record_at, STARPU_R);
    double largest = 0, change = 0;
    for (std::size_t t = 0; t < before.tiles.size(); ++t)
        for (std::size_t e = 0; e < before.tiles[t].value.size(); ++e) {
            const double d = std::abs(on_core.tiles[t].value[e] - there.tiles[t].value[e]);
            largest = d <= largest ? largest : d;  // NaN stays
            change = std::max(change, double(std::abs(on_core.tiles[t].value[e] - before.tiles[t].value[e])));
        }
    CHECK(change > least_change);
    CHECK(largest <= bound * std::numeric_limits<real_t<T>>::epsilon());
}

/// Diagonally dominant, as if it were factored, with an order of rows and a D of both sizes.
template <class T>
Outcome<T> factored_diagonal(Factorization kind, index_t n, index_t rhs) {
    Outcome<T> data{{{n, n, STARPU_R, 11}, {n, rhs, STARPU_RW, 12}}, {}, {}, {}};
    Tile<T>& tile = data.tiles.front();
    for (T& v : tile.value) v /= T(static_cast<real_t<T>>(n));
    for (index_t j = 0; j < n; ++j) tile(j, j) = T(static_cast<real_t<T>>(2 + j % 3));
    data.record.resize(static_cast<std::size_t>(PivotRecord<T>::bytes(n)));
    const auto record = PivotRecord<T>::at(data.record.data(), n);
    for (index_t k = 0; k < n; ++k) record.perm[k] = (k * 3 + 1) % n;  // n is no multiple of 3
    if (!has_block_diagonal(kind)) return data;
    for (index_t k = 0; k < n; ++k) {
        record.pivots[2 * k] = T(static_cast<real_t<T>>(1 + k % 4));
        record.pivots[2 * k + 1] = k % 5 == 0 && k + 1 < n ? T(real_t<T>(0.5)) : T(0);
    }
    return data;
}

template <class T>
void check_diagonal_tiles(Factorization kind) {
    const index_t n = 70;
    for (const index_t rhs : {1, 2, 33})
        for (const SolveStage stage : {SolveStage::forward, SolveStage::diagonal, SolveStage::backward})
            for (const Operation operation : {Operation::none, Operation::transpose, Operation::adjoint}) {
                if (operation != Operation::none && kind != Factorization::lu) continue;
                if (stage == SolveStage::diagonal && !has_block_diagonal(kind)) continue;
                CAPTURE(static_cast<int>(kind));
                CAPTURE(static_cast<int>(stage));
                CAPTURE(static_cast<int>(operation));
                CAPTURE(rhs);
                DiagonalTileArguments a;
                a.kind = kind;
                a.stage = stage;
                a.operation = operation;
                const int record_at = kind == Factorization::llt ? -1 : 2;
                check_places<T>(solve_diagonal_tile_codelet<T>, a, factored_diagonal<T>(kind, n, rhs), 8.0 * n,
                                record_at);
            }
}

/// Two targets by two tiles, one of them twice.
template <class T>
void check_products(Operation op, index_t rhs) {
    const index_t m = 130, k = 61;
    const bool plain = op == Operation::none;
    const Tile<T> first(plain ? m : k, plain ? k : m, STARPU_R, 1), second(plain ? 17 : k, plain ? k : 17, STARPU_R, 2);
    const Tile<T> source(k, rhs, STARPU_R, 3);
    const std::vector<SegmentProduct> products{{3, 0, 2, op}, {4, 1, 2, op}, {3, 0, 2, op}};
    UpdateSegmentsArguments update;
    update.products = &products;
    check_places<T>(update_segments_codelet<T>, update,
                    {{first, second, source, {m, rhs, STARPU_RW, 4}, {17, rhs, STARPU_RW, 5}}, {}, {}, {}}, 16.0 * k);
    // A matrix begins as a vector does, as StarPU describes them.
    const Tile<T> vector((m + 17) * rhs, 1, STARPU_W, 6);
    MultiplyArguments multiply;
    multiply.operation = op;
    multiply.tiles = 2;
    check_places<T>(multiply_segments_codelet<T>, multiply, {{vector, source, first, second}, {}, {}, {}}, 16.0 * k);
}

template <class T>
void check_sums(index_t rhs) {
    AddProductsArguments add;
    add.segments = 2;
    check_places<T>(
        add_products_codelet<T>, add,
        {{{(130 + 17) * rhs, 1, STARPU_R, 6}, {130, rhs, STARPU_RW, 7}, {17, rhs, STARPU_RW, 8}}, {}, {}, {}}, 0);
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("solve_diagonal_tile on the device as on a core", T, device_diagonal_tiles) {
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::ldlh, Factorization::lu})
        check_diagonal_tiles<T>(kind);
}
TEST_CASE_TEMPLATE_APPLY(device_diagonal_tiles, Scalars);

TEST_CASE_TEMPLATE_DEFINE("products with segments on the device as on a core", T, device_products) {
    for (const index_t rhs : {1, 20}) {
        CAPTURE(rhs);
        check_sums<T>(rhs);
        for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
            CAPTURE(static_cast<int>(op));
            check_products<T>(op, rhs);
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(device_products, Scalars);

TEST_SUITE_END();
