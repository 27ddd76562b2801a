// SPDX-License-Identifier: BSD-3-Clause
#include "solve_diagonal_tile.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/pivot_record.hpp"

namespace frond {
namespace {

/// A diagonal tile is a front without contribution rows.
template <class T>
void solve_diagonal(const DiagonalTileArguments& a, DenseView<const T> tile, const PivotRecord<T>& record,
                    DenseView<T> x) {
    const DenseView<T> nothing{nullptr, 0, x.cols, 1};
    const DenseView<const T> no_rows{nullptr, 0, x.cols, 1}, no_columns{nullptr, tile.rows, 0, tile.ld};
    const bool adjoint = a.operation == Operation::adjoint;
    if (a.stage == SolveStage::diagonal)
        cpu::diagonal_front(a.kind, static_cast<const T*>(record.pivots), x);
    else if (a.operation == Operation::none && a.stage == SolveStage::forward)
        cpu::forward_front(a.kind, tile, record.perm, x, nothing);
    else if (a.operation == Operation::none)
        cpu::backward_front(a.kind, tile, no_columns, record.perm, no_rows, x);
    else if (a.stage == SolveStage::forward)
        cpu::forward_front_transposed(tile, no_columns, adjoint, x, nothing);
    else
        cpu::backward_front_transposed(tile, record.perm, adjoint, no_rows, x);
}

template <class T>
void solve_diagonal_tile_cpu(void* buffers[], void* raw) noexcept {
    run_task<DiagonalTileArguments>(raw, [&](const DiagonalTileArguments& a) {
        const auto tile = as_const(matrix_buffer<T>(buffers, 0));
        PivotRecord<T> record;
        if (a.kind != Factorization::llt)
            record = PivotRecord<T>::at(vector_buffer<unsigned char>(buffers, 2), tile.rows);
        solve_diagonal(a, tile, record, matrix_buffer<T>(buffers, 1));
    });
}

}  // namespace

FROND_DEFINE_CODELETS_OF_PLACES(solve_diagonal_tile_codelet, "solve_diagonal_tile", 0xE07A5F, solve_diagonal_tile_cpu,
                                gpu::solve_diagonal_tile)

}  // namespace frond
