// SPDX-License-Identifier: BSD-3-Clause
// Vector work on a block of columns, cut into pieces of rows for ParallelFor.
#pragma once

#include "frond/base/loop_purpose.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/matrix/operations.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace frond {

/// Rows of a piece: 0.3 MB of doubles, some 50 us of work, above the cost of a task.
inline constexpr count_t rows_per_chunk = 32768;

inline count_t row_chunks(count_t rows) { return (rows + rows_per_chunk - 1) / rows_per_chunk; }

/// body(column, begin, end, chunk) over all columns and pieces of rows; chunk = column *
/// row_chunks(rows)
/// + piece. The pieces depend on the sizes alone; short columns share a task.
template <class Body>
void for_row_chunks(const ParallelFor& parallel_for, count_t rows, count_t columns, const Body& body) {
    const count_t pieces = row_chunks(rows);
    const auto run = [&](count_t chunk) {
        const count_t begin = chunk % pieces * rows_per_chunk;
        body(chunk / pieces, begin, std::min(rows, begin + rows_per_chunk), chunk);
    };
    const count_t chunks = pieces * columns, rows_per_piece = std::min(rows, rows_per_chunk);
    const count_t shared = std::max<count_t>(1, rows_per_chunk / std::max<count_t>(1, rows_per_piece));
    const auto run_some = [&](count_t task) {
        for (count_t c = task * shared; c < std::min(chunks, (task + 1) * shared); ++c) run(c);
    };
    const count_t tasks = (chunks + shared - 1) / shared;
    if (parallel_for && tasks > 0) return parallel_for(tasks, std::cref(run_some));
    for (count_t chunk = 0; chunk < chunks; ++chunk) run(chunk);
}

/// X := diag(w) X, w [n] rounded to the scalar type.
template <class T, class Weight>
void scale_rows(const ParallelFor& parallel_for, const std::vector<Weight>& w, DenseView<T> x) {
    const LoopPurpose purpose("scaling");
    for_row_chunks(parallel_for, x.rows, x.cols, [&](count_t j, count_t begin, count_t end, count_t) {
        T* const column = x.column(static_cast<index_t>(j));
        for (count_t i = begin; i < end; ++i) column[i] *= static_cast<real_t<T>>(w[static_cast<std::size_t>(i)]);
    });
}

/// y := x, whatever fails: where no memory is left for tasks, on this thread.
template <class T>
void copy_rows(const ParallelFor& parallel_for, const T* x, T* y, count_t rows) noexcept {
    const LoopPurpose purpose("copy");
    try {
        for_row_chunks(parallel_for, rows, 1, [&](count_t, count_t begin, count_t end, count_t) {
            std::copy_n(x + begin, end - begin, y + begin);
        });
    } catch (...) {
        std::copy_n(x, rows, y);
    }
}

}  // namespace frond
