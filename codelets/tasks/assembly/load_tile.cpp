// SPDX-License-Identifier: BSD-3-Clause
#include "load_tile.hpp"

#include <algorithm>

#include "frond/analysis/dense_steps.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

/// column := entries of column j from row i on, as stored.
template <class T>
void copy_column(const DenseSource<T>& from, count_t i, count_t j, T* column, index_t rows) {
    std::copy_n(from.a.column(j) + i, rows, column);
}

/// The same of the lower triangle, where A has the upper one.
template <class T>
void mirror_row(const DenseSource<T>& from, count_t i, count_t j, T* column, index_t rows) {
    const bool conjugates = from.a.symmetry == Symmetry::hermitian;
    for (index_t k = 0; k < rows; ++k) {
        const T value = from.a.column(i + k)[j];
        column[k] = conjugates ? conjugate(value) : value;
    }
}

template <class T>
void scale_column(const DenseSource<T>& from, count_t i, count_t j, T* column, index_t rows) {
    const double c = from.column_scale[j];
    for (index_t k = 0; k < rows; ++k) column[k] = scaled_entry(column[k], from.row_scale[i + k], c);
}

template <class T>
void load(const LoadTileArguments<T>& a, DenseView<T> tile) {
    const DenseSource<T>& from = *a.source;
    for (index_t j = 0; j < tile.cols; ++j) {
        const index_t above = a.lower ? j : 0;
        T* const column = tile.column(j) + above;
        const count_t i = count_t{a.first_row} + above, at_column = count_t{a.first_column} + j;
        std::fill_n(tile.column(j), above, T(0));
        if (from.a.reads_upper())
            mirror_row(from, i, at_column, column, tile.rows - above);
        else
            copy_column(from, i, at_column, column, tile.rows - above);
        if (from.row_scale != nullptr) scale_column(from, i, at_column, column, tile.rows - above);
        if (a.lower && from.a.symmetry == Symmetry::hermitian) column[0] = T(real_part(column[0]));
    }
}

/// Both triangles of a general factorization, of a matrix with one.
template <class T>
void load_mirrored(const LoadTileArguments<T>& a, DenseView<T> tile) {
    const DenseSource<T>& from = *a.source;
    const bool upper = from.a.reads_upper(), conjugates = from.a.symmetry == Symmetry::hermitian;
    for (index_t j = 0; j < tile.cols; ++j)
        for (index_t i = 0; i < tile.rows; ++i) {
            const count_t row = count_t{a.first_row} + i, column = count_t{a.first_column} + j;
            const bool stored = upper ? row <= column : row >= column;
            T value = stored ? from.a.column(column)[row] : from.a.column(row)[column];
            if (!stored && conjugates) value = conjugate(value);
            if (row == column && conjugates) value = T(real_part(value));
            tile(i, j) =
                from.row_scale != nullptr ? scaled_entry(value, from.row_scale[row], from.column_scale[column]) : value;
        }
}

template <class T>
void load_on_core(void* buffers[], void* raw) noexcept {
    run_task<LoadTileArguments<T>>(raw, [&](const LoadTileArguments<T>& a) {
        const auto tile = matrix_buffer<T>(buffers, 0);
        if (a.both_triangles)
            load_mirrored(a, tile);
        else
            load(a, tile);
    });
}

}  // namespace

FROND_DEFINE_CODELETS(load_tile_codelet, "load_tile", 0x8DA0CB, TaskModel::Work::bytes, relative_speed<T>,
                      load_on_core<T>)

}  // namespace frond
