// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "frond/base/types.hpp"
#include "frond/matrix/sparse_matrix.hpp"

namespace frond {

/// Which entries of a dense matrix a rank of a communicator has: blocks of row_block x column_block entries go
/// round a grid of ranks, block (I, J) to the rank in grid row I % process_rows and grid column J % process_columns, as
/// ScaLAPACK does: blocks MB x NB on a grid P x Q that begins with rank 0. Ranks are counted along the rows of the grid;
/// ranks beyond the grid have nothing. Blocks of whole rows: process_columns = 1 and column_block = 0.
struct DenseLayout {
    index_t row_block = 0;  // 0: all rows are one block
    index_t column_block = 0;  // 0: all columns are one block
    index_t process_rows = 1;
    index_t process_columns = 1;

    count_t ranks() const { return static_cast<count_t>(process_rows) * process_columns; }
    /// Rows and columns of a matrix of this order that the rank has, in the order of its array: entry (i, j) there is entry
    /// (rows_of(rank, order)[i], columns_of(rank, order)[j]) of the matrix.
    std::vector<index_t> rows_of(index_t rank, count_t order) const;
    std::vector<index_t> columns_of(index_t rank, count_t order) const;
};

/// A dense square matrix in the caller's memory: entry (i, j) of the block that is here at data[i + j * ld].
///
/// It is read, never written, by the factorization, and again by every solve, which measures its errors against it; it
/// must stay as it is until the last solve with the factors has ended.
/// With `symmetry` symmetric or hermitian one triangle is read, the other one may hold anything: the lower one, unless
/// `stored` is Triangle::upper. The imaginary part of the diagonal of a Hermitian matrix is ignored.
/// In a session with a communicator each rank gives the block that it has: by `layout`, which is the same on all ranks, or
/// by row_map and column_map. Every entry of the square, of symmetric matrices too, lies with one rank.
template <class T>
struct DenseMatrixView {
    count_t order = 0;  // n, of the whole matrix
    const T* data = nullptr;  // [ld * columns that are here], in the memory of the host; may be null for n = 0
    count_t ld = 0;  // >= the rows that are here; 0: as many as these
    Symmetry symmetry = Symmetry::general;
    Triangle stored = Triangle::both;
    DenseLayout layout = {};  // of several ranks; as it is here, rank 0 has all of it
    /// Given instead of a layout, on all ranks: which rows and columns of the matrix the array has, from 0, each once,
    /// in any order. Empty lists: none. Without column_map the rows are whole, without row_map the columns are.
    std::optional<std::span<const index_t>> row_map = {}, column_map = {};

    /// Column j of a matrix that is here whole. @pre ld > 0 or the rows are those of the matrix
    const T* column(count_t j) const { return data + j * (ld > 0 ? ld : order); }
    bool has_maps() const { return row_map.has_value() || column_map.has_value(); }
    bool reads_upper() const { return symmetry != Symmetry::general && stored == Triangle::upper; }
};

/// @throws InvalidArgument  names what does not fit: order, leading dimension, null pointer, size in bytes, symmetry,
///                          a part of several ranks
template <class T>
void check_dense_matrix(const DenseMatrixView<T>& a);

/// Checks a part that one of `ranks` ranks has, and refuses in addition maps with a number outside the matrix, or
/// twice, a layout for more ranks than there are, and both at once.
template <class T>
void check_dense_part(const DenseMatrixView<T>& a, index_t rank, index_t ranks);

}  // namespace frond
