// SPDX-License-Identifier: BSD-3-Clause
// Triangular solves with a tile as products: block substitution with inverted diagonal blocks. B is
// replaced; `x`, of its shape, is scratch.
#include "blas.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/level_batch/panel.hpp"
#include "kernels/substitution/invert_blocks.hpp"
#include "solve_panel.hpp"
#include "worker/copies.hpp"

#include <algorithm>

namespace frond::gpu {

/// visit(first, size, inverse) for each diagonal block.
template <class T, class Visit>
void for_each_block(DenseView<const T> inverses, Visit visit) {
    for (index_t k = 0; k < inverses.cols; k += inverse_block) {
        const index_t size = std::min(inverse_block, inverses.cols - k);
        visit(k, size, inverses.block(0, k, size, size));
    }
}

/// B := B L^-T (adjoint: L^-H), L the lower triangle of l.
template <class T>
void solve_right_lower_by_inverses(Stream stream, BlasHandle blas, bool adjoint, DenseView<const T> l,
                                   DenseView<const T> inverses, DenseView<T> b, DenseView<T> x) {
    const Form form = adjoint ? Form::adjoint : Form::transposed;
    for_each_block(inverses, [&](index_t k, index_t size, DenseView<const T> inverse) {
        const auto part = b.block(0, k, b.rows, size);
        if (k > 0) subtract_product<T>(blas, x.block(0, 0, b.rows, k), form, l.block(k, 0, size, k), part);
        product<T>(blas, part, form, inverse, x.block(0, k, b.rows, size));
    });
    copy_block<T>(stream, x, b);
}

/// B := B U^-1, U the upper triangle of u.
template <class T>
void solve_right_upper_by_inverses(Stream stream, BlasHandle blas, DenseView<const T> u, DenseView<const T> inverses,
                                   DenseView<T> b, DenseView<T> x) {
    for_each_block(inverses, [&](index_t k, index_t size, DenseView<const T> inverse) {
        const auto part = b.block(0, k, b.rows, size);
        if (k > 0) subtract_product<T>(blas, x.block(0, 0, b.rows, k), Form::plain, u.block(0, k, k, size), part);
        product<T>(blas, part, Form::plain, inverse, x.block(0, k, b.rows, size));
    });
    copy_block<T>(stream, x, b);
}

/// B := L^-1 B, from x, which holds B on entry: B is written block by block.
template <class T>
void solve_left_lower_by_inverses(BlasHandle blas, DenseView<const T> l, DenseView<const T> inverses, DenseView<T> x,
                                  DenseView<T> b) {
    for_each_block(inverses, [&](index_t k, index_t size, DenseView<const T> inverse) {
        const auto part = x.block(k, 0, size, b.cols);
        if (k > 0) subtract_product<T>(blas, l.block(k, 0, size, k), Form::plain, b.block(0, 0, k, b.cols), part);
        product<T>(blas, inverse, Form::plain, part, b.block(k, 0, size, b.cols));
    });
}

namespace {

/// One solve_panel task: the buffers as solve_panel.hpp lists them.
template <class T>
class PanelTask {
public:
    PanelTask(const SolvePanelArguments& a, void** buffers)
        : a_(a), buffers_(buffers), context_(worker_context()), stream_(task_stream()), diagonal_(as_const(tile(0))) {}

    void run() {
        if (a_.kind == Factorization::llt) return solve_lower_triangle(true, false, tile(1), 2);
        if (a_.kind == Factorization::lu) return a_.upper ? solve_upper() : solve_lower();
        solve_indefinite();
    }

    /// After the stream is drained.
    void limit_kept() const {
        if (!(a_.bound > 0)) return;
        const PanelCheck answer = *static_cast<const PanelCheck*>(context_.pinned.at_least(sizeof(PanelCheck)));
        outcome_buffer(a_.kind, buffers_, 1).limit.add(answer.first_above, answer.largest());
    }

private:
    DenseView<T> tile(int i) const { return matrix_buffer<T>(buffers_, i); }
    bool by_inverses() const {
        const int outcome_at = a_.kind == Factorization::llt ? 3 : 1;
        return a_.with_inverses && outcome_buffer(a_.kind, buffers_, outcome_at).inverses_usable;
    }
    PivotRecord<T> record() const {
        return PivotRecord<T>::at(vector_buffer<unsigned char>(buffers_, 1), diagonal_.rows);
    }

    DenseView<T> scratch_like(DenseView<T> block) const {
        const auto bytes = sizeof(T) * static_cast<std::size_t>(block.rows) * static_cast<std::size_t>(block.cols);
        return {static_cast<T*>(context_.device.at_least(bytes)), block.rows, block.cols, block.rows};
    }
    /// Buffer i: those of the lower triangle, then, L U, of the upper one.
    DenseView<const T> inverses(int i, bool of_upper) const {
        const DenseView<T> all = tile(i);
        return as_const(all.block(0, of_upper ? diagonal_.cols : 0, all.rows, diagonal_.cols));
    }

    /// B := B L^-T (adjoint: L^-H), with the inverses in buffer `inverses_at`.
    void solve_lower_triangle(bool adjoint, bool unit, DenseView<T> b, int inverses_at) {
        if (by_inverses())
            solve_right_lower_by_inverses<T>(stream_, context_.blas, adjoint, diagonal_, inverses(inverses_at, false),
                                             b, scratch_like(b));
        else
            solve_right_lower(context_.blas, unit, adjoint, diagonal_, b);
    }

    void solve_lower() {
        const bool limited = a_.bound > 0;
        if (limited) {
            auto saved = tile(3);
            saved.cols = diagonal_.cols;
            copy_block<T>(stream_, tile(2), saved);
        }
        if (by_inverses())
            solve_right_upper_by_inverses<T>(stream_, context_.blas, diagonal_, inverses(limited ? 4 : 3, true),
                                             tile(2), scratch_like(tile(2)));
        else
            solve_right_upper(context_.blas, diagonal_, tile(2));
        ask_limit(tile(2));
    }

    void solve_upper() {
        const DenseView<T> upper = tile(2);
        const DenseView<T> moved = scratch_like(upper);
        gather_rows<T>(stream_, upper, record().perm, moved);
        if (by_inverses())
            return solve_left_lower_by_inverses<T>(context_.blas, diagonal_, inverses(3, false), moved, upper);
        copy_block<T>(stream_, moved, upper);
        solve_left_unit_lower(context_.blas, diagonal_, upper);
    }

    void solve_indefinite() {
        auto panel_backup = tile(3);
        panel_backup.cols = diagonal_.cols;  // as wide as the widest panel
        const bool hermitian = a_.kind == Factorization::ldlh;
        gather_columns<T>(stream_, tile(2), record().perm, panel_backup);
        solve_lower_triangle(hermitian, true, panel_backup, 4);
        divide_columns_by_pivots<T>(stream_, hermitian, record().pivots, panel_backup, tile(2));
        ask_limit(tile(2));
    }

    void ask_limit(DenseView<const T> l) {
        if (!(a_.bound > 0)) return;
        auto* answer = static_cast<PanelCheck*>(context_.pinned.at_least(sizeof(PanelCheck)));
        auto* on_card = static_cast<PanelCheck*>(context_.device.at_least(sizeof(PanelCheck)));
        *answer = {l.cols, 0};
        send(on_card, answer, sizeof(PanelCheck), "sending the limit of a panel");
        check_columns<T>(stream_, l, a_.bound, on_card);
        fetch(answer, on_card, sizeof(PanelCheck), "fetching the limit of a panel");
    }

    const SolvePanelArguments& a_;
    void** buffers_;
    WorkerContext& context_;
    Stream stream_;
    DenseView<const T> diagonal_;
};

}  // namespace

template <class T>
void solve_panel(void* buffers[], void* raw) noexcept {
    run_task<SolvePanelArguments>(raw, [&](const SolvePanelArguments& a) {
        const DrainAtExit drained;
        PanelTask<T> task(a, buffers);
        task.run();
        drain();
        task.limit_kept();
    });
}

#define FROND_INSTANTIATE(T) template void solve_panel<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
