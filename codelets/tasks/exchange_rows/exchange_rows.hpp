// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/assembly_tree.hpp"
#include "frond/codelets/task.hpp"

namespace frond {

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
