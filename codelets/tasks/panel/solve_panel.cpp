// SPDX-License-Identifier: BSD-3-Clause
#include "solve_panel.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"

namespace frond {
namespace {

/// Threshold pivoting: no tile keeps more columns of the panel than the limit of its outcome.
template <class T>
void limit_kept(const SolvePanelArguments& a, void* buffers[], DenseView<const T> l) {
    if (!(a.bound > 0)) return;
    double largest = 0;
    const index_t first = cpu::first_column_above(l, a.bound, largest);
    outcome_buffer(a.kind, buffers, 1).limit.add(first, largest);
}

/// The same where the largest entry of l is known.
template <class T>
void limit_kept(const SolvePanelArguments& a, void* buffers[], DenseView<const T> l, double largest) {
    if (a.bound > 0 && largest <= static_cast<real_t<T>>(a.bound))
        outcome_buffer(a.kind, buffers, 1).limit.add(l.cols, largest);
    else
        limit_kept(a, buffers, l);
}

template <class T>
void solve_lu_lower(const SolvePanelArguments& a, void* buffers[], DenseView<const T> diagonal) {
    const auto tile = matrix_buffer<T>(buffers, 2);
    if (a.bound > 0) {
        const auto saved = matrix_buffer<T>(buffers, 3);
        for (index_t j = 0; j < tile.cols; ++j) std::copy_n(&tile(0, j), tile.rows, &saved(0, j));
    }
    cpu::solve_panel_lu_lower(diagonal, tile);
    limit_kept(a, buffers, as_const(tile));
}

template <class T>
void solve_lu(const SolvePanelArguments& a, void* buffers[], DenseView<const T> diagonal) {
    if (!a.upper) return solve_lu_lower(a, buffers, diagonal);
    const auto tile = matrix_buffer<T>(buffers, 2);
    const auto record = PivotRecord<T>::at(vector_buffer<unsigned char>(buffers, 1), diagonal.rows);
    const count_t scalars = cpu::solve_panel_lu_upper_workspace(tile.rows, tile.cols);
    const auto work = a.workspaces->lend(scalars * static_cast<count_t>(sizeof(T)));
    cpu::solve_panel_lu_upper(diagonal, record.perm, tile, work.template as<T>());
}

template <class T>
void solve_panel_cpu(void* buffers[], void* raw) noexcept {
    run_task<SolvePanelArguments>(raw, [&](const SolvePanelArguments& a) {
        const auto diagonal = as_const(matrix_buffer<T>(buffers, 0));
        if (a.kind == Factorization::llt) return cpu::solve_panel_llt(diagonal, matrix_buffer<T>(buffers, 1));
        if (a.kind == Factorization::lu) return solve_lu<T>(a, buffers, diagonal);
        const auto record = PivotRecord<T>::at(vector_buffer<unsigned char>(buffers, 1), diagonal.rows);
        auto panel_backup = matrix_buffer<T>(buffers, 3);
        panel_backup.cols = diagonal.cols;  // as wide as the widest panel
        double largest_l = 0;
        cpu::solve_panel_ldlt(diagonal, a.kind == Factorization::ldlh, static_cast<const T*>(record.pivots),
                              static_cast<const index_t*>(record.perm), matrix_buffer<T>(buffers, 2), panel_backup,
                              a.bound > 0 ? &largest_l : nullptr);
        limit_kept(a, buffers, as_const(matrix_buffer<T>(buffers, 2)), largest_l);
    });
}

}  // namespace

FROND_DEFINE_CODELETS(solve_panel_codelet, "solve_panel", 0xF4A261, TaskModel::Work::flops, relative_speed<T>,
                      solve_panel_cpu<T>, gpu::solve_panel<T>)

}  // namespace frond
