// SPDX-License-Identifier: BSD-3-Clause
#include "solve_diagonal_tile.hpp"

#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "kernels/level_batch/panel.hpp"
#include "kernels/substitution/segments.hpp"
#include "worker/copies.hpp"

namespace frond::gpu {
namespace {

/// One solve_diagonal_tile task; what it does is cpu's solve_diagonal.
template <class T>
class DiagonalSolve {
public:
    DiagonalSolve(const DiagonalTileArguments& a, void* buffers[])
        : a_(a),
          context_(worker_context()),
          tile_(as_const(matrix_buffer<T>(buffers, 0))),
          x_(matrix_buffer<T>(buffers, 1)) {
        if (a.kind != Factorization::llt)
            record_ = PivotRecord<T>::at(vector_buffer<unsigned char>(buffers, 2), tile_.rows);
    }

    void run() const {
        if (a_.stage == SolveStage::diagonal)
            return divide_rows_by_pivots<T>(task_stream(), a_.kind == Factorization::ldlh, record_.pivots, x_);
        const bool is_forward = a_.stage == SolveStage::forward;
        if (a_.operation == Operation::none) return is_forward ? forward() : backward();
        is_forward ? solve_left(context_.blas, {true, false, form_of(a_.operation)}, tile_, x_)
                   : transposed_lower(form_of(a_.operation));
    }

private:
    bool is_unit() const { return a_.kind != Factorization::llt; }

    /// L^-1 P x
    void forward() const {
        if (is_unit()) move_rows([&](DenseView<T> moved) { gather_rows<T>(task_stream(), x_, record_.perm, moved); });
        solve_left(context_.blas, {false, is_unit(), Form::plain}, tile_, x_);
    }

    void backward() const {
        if (a_.kind == Factorization::lu) return solve_left(context_.blas, {true, false, Form::plain}, tile_, x_);
        transposed_lower(a_.kind == Factorization::ldlt ? Form::transposed : Form::adjoint);
    }

    /// P^T L^-T x
    void transposed_lower(Form form) const {
        solve_left(context_.blas, {false, is_unit(), form}, tile_, x_);
        if (is_unit()) move_rows([&](DenseView<T> moved) { scatter_rows<T>(task_stream(), x_, record_.perm, moved); });
    }

    template <class Move>
    void move_rows(const Move& move) const {
        const auto bytes = sizeof(T) * static_cast<std::size_t>(x_.rows) * static_cast<std::size_t>(x_.cols);
        const DenseView<T> moved{static_cast<T*>(context_.device.at_least(bytes)), x_.rows, x_.cols, x_.rows};
        move(moved);
        copy_block<T>(task_stream(), moved, x_);
    }

    const DiagonalTileArguments& a_;
    WorkerContext& context_;
    DenseView<const T> tile_;
    DenseView<T> x_;
    PivotRecord<T> record_;
};

}  // namespace

template <class T>
void solve_diagonal_tile(void* buffers[], void* raw) noexcept {
    run_task<DiagonalTileArguments>(raw, [&](const DiagonalTileArguments& a) {
        const DrainAtExit drained;
        DiagonalSolve<T>(a, buffers).run();
        drain();
    });
}

#define FROND_INSTANTIATE(T) template void solve_diagonal_tile<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
