// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"

namespace frond {
namespace {

template <class T>
void add_entries(const AssembleArguments& a, DenseView<T> tile) {
    const TileAssembly& plan = *a.assembly;
    const T* value = static_cast<const T*>(a.entries);
    for (const count_t e : plan.entries) {
        const auto s = static_cast<std::size_t>(e);
        tile(a.map->row[s] - plan.row_begin, a.map->column[s] - plan.column_begin) += value[e];
    }
}

/// tile(rel[r], rel[c]) += child(r, c)
template <class T>
void add_piece(const TileAssembly& plan, const ChildPiece& p, DenseView<const T> child, DenseView<T> tile) {
    const index_t* rows = p.relative_rows;
    for (index_t c = p.column_begin; c < p.column_end; ++c) {
        const index_t first = plan.lower ? std::max(p.row_begin, c) : p.row_begin;
        if (first >= p.row_end) continue;
        const T* from = &child(0, c - p.buffer_column) - p.buffer_row;
        T* to = &tile(0, rows[c] - plan.column_begin) - plan.row_begin;
        const bool run = rows[p.row_end - 1] - rows[first] == p.row_end - 1 - first;
        if (run) {
            T* start = to + rows[first];
            for (index_t r = first; r < p.row_end; ++r) start[r - first] += from[r];
        } else {
            for (index_t r = first; r < p.row_end; ++r) to[rows[r]] += from[r];
        }
    }
}

template <class T>
void assemble_cpu(void* buffers[], void* raw) noexcept {
    run_task<AssembleArguments>(raw, [&](const AssembleArguments& a) {
        const auto tile = matrix_buffer<T>(buffers, 0);
        if (a.clear) {
            for (index_t j = 0; j < tile.cols; ++j) std::fill_n(&tile(0, j), tile.rows, T(0));
            add_entries(a, tile);
        }
        for (index_t p = a.first_piece; p < a.last_piece; ++p)
            add_piece(*a.assembly, a.assembly->pieces[static_cast<std::size_t>(p)],
                      as_const(matrix_buffer<T>(buffers, 1 + p - a.first_piece)), tile);
    });
}

}  // namespace

template <class T>
starpu_codelet& assemble_tile_codelet() {
    static starpu_codelet codelet = make_codelet("assemble_tile", assemble_cpu<T>, 0x8DA0CB);
    return codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& assemble_tile_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
