// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "frond/base/parallel_for.hpp"
#include "frond/base/types.hpp"

namespace frond::detail {

/// body(row) for all rows of a block, on the workers where there are many. Pieces depend on nothing but the block, and
/// what a row gives not even on it.
template <class Body>
void for_block_rows(index_t rows, const ParallelFor& parallel_for, const Body& body) {
    constexpr count_t rows_per_piece = 4096;
    const count_t pieces = (rows + rows_per_piece - 1) / rows_per_piece;
    const auto piece = [&](count_t p) {
        const count_t end = std::min<count_t>(rows, (p + 1) * rows_per_piece);
        for (count_t i = p * rows_per_piece; i < end; ++i) body(static_cast<index_t>(i));
    };
    if (parallel_for && pieces > 1) return parallel_for(pieces, piece);
    for (count_t p = 0; p < pieces; ++p) piece(p);
}

}  // namespace frond::detail
