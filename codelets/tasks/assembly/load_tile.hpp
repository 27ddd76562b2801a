// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/task.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

namespace frond {

/// A dense matrix as it is factored: Dr A Dc. All of it must outlive the tasks.
template <class T>
struct DenseSource {
    DenseMatrixView<T> a;
    const double* row_scale = nullptr;  // [n] of the rows of A; null: not scaled
    const double* column_scale = nullptr;  // [n] the same
};

/// load_tile: W tile            tile := entries (first_row .., first_column ..) of Dr A Dc; lower: row >= column alone
/// Threshold pivoting: R start of the front, last. On cores, where the caller's memory is; a tile that a device needs is
/// sent there.
template <class T>
struct LoadTileArguments : TaskArguments {
    const DenseSource<T>* source = nullptr;
    index_t first_row = 0, first_column = 0;
    bool lower = false;  // a diagonal tile of a symmetric kind
    bool both_triangles = false;  // L U of a matrix that is given by one
};
template <class T>
starpu_codelet& load_tile_codelet();

}  // namespace frond
