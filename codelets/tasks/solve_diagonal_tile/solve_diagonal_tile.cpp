// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/codelets/solve_tasks.hpp"
#include "frond/cpu/kernels.hpp"

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

template <class T>
void update_segments_cpu(void* buffers[], void* raw) noexcept {
    run_task<UpdateSegmentsArguments>(raw, [&](const UpdateSegmentsArguments& a) {
        for (const SegmentProduct& p : *a.products)
            cpu::subtract_product(as_const(matrix_buffer<T>(buffers, p.tile)), p.operation,
                                  as_const(matrix_buffer<T>(buffers, p.source)), matrix_buffer<T>(buffers, p.target));
    });
}

}  // namespace

template <class T>
starpu_codelet& solve_diagonal_tile_codelet() {
    static starpu_codelet codelet = make_codelet("solve_diagonal_tile", solve_diagonal_tile_cpu<T>, 0xE07A5F);
    return codelet;
}

template <class T>
starpu_codelet& update_segments_codelet() {
    static starpu_codelet codelet = make_codelet("update_segments", update_segments_cpu<T>, 0x81B29A);
    return codelet;
}

#define FROND_INSTANTIATE(T)                                   \
    template starpu_codelet& solve_diagonal_tile_codelet<T>(); \
    template starpu_codelet& update_segments_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
