// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/assembly_tree.hpp"
#include "frond/codelets/task.hpp"

namespace frond {

/// select_rows (L U): W cpu::RowExchanges, then R tiles (k, k) .. (last, k).
/// exchanges := what brings the rows of the best pivots of tile column k into its diagonal tile: a tournament of tile
/// rows, each round partial pivoting of the winners so far over the rows of the next tile [GrigoriDemmelXiang2011].
struct SelectRowsArguments : TaskArguments {
    const TileGrid* grid = nullptr;
    index_t panel = 0;
};
template <class T>
starpu_codelet& select_rows_codelet();

/// Operations of a round of order n, a block of twice as many rows, and of all rounds.
constexpr double select_rows_flops(double n, double rounds) { return rounds * n * n * n * 5 / 3; }

/// exchange_rows (L U): R cpu::RowExchanges of panel k, RW tiles (k, j) .. (last, j). Does what select_rows decided,
/// in tile column j; also of L, which was eliminated before. With `failed`: RW the failed columns of the front instead.
struct ExchangeRowsArguments : TaskArguments {
    const TileGrid* grid = nullptr;
    index_t panel = 0;
    bool failed = false;
};
template <class T>
starpu_codelet& exchange_rows_codelet();

}  // namespace frond
