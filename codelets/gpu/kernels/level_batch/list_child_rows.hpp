// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// Contribution rows of a child: relative_rows[rows_begin .. rows_begin + count) are rows of its parent, whose list begins
/// at row_of[first].
struct ChildRows {
    count_t rows_begin = 0, first = 0;
    index_t count = 0;
};

/// ChildBlock::row_of of all children: row_of[first + relative_rows[rows_begin + r]] := r for the contribution rows r of
/// each, -1 in the parent's other rows; all_rows is the length of row_of. Arrays in device memory; asynchronous on the
/// stream.
template <class T>
void list_child_rows(Stream stream, index_t children, const ChildRows* rows, const index_t* relative_rows,
                     count_t all_rows, index_t* row_of);

}  // namespace frond::gpu
