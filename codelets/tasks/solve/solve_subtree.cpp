// SPDX-License-Identifier: BSD-3-Clause
#include "solve_subtree.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/subtree.hpp"

namespace frond {
namespace {

/// y of the backward pass: the solution at the rows above, collected from the parent's segments.
template <class T>
void collect_above(const ChildLink& link, void* buffers[], DenseView<T> y) {
    for_each_linked_row(link, [&](int, index_t r, int segment, index_t row) {
        const auto from = matrix_buffer<T>(buffers, 3 + segment);
        for (index_t j = 0; j < y.cols; ++j) y(r, j) = from(row, j);
    });
}

template <class T>
void solve_subtree_cpu(void* buffers[], void* raw) noexcept {
    run_task<SubtreeSolveArguments>(raw, [&](const SubtreeSolveArguments& a) {
        const AssemblyTree& tree = a.analysis->tree;
        const T* factor = vector_buffer<T>(buffers, 0);
        const auto& pivots = object_buffer<const cpu::SubtreePivots<T>>(buffers, 1);
        const auto x = matrix_buffer<T>(buffers, 2);
        const index_t* const perm = pivots.perm.data();
        const cpu::SubtreeSecondPasses<T>* const second_passes = &pivots.second_passes;
        if (a.stage == SolveStage::diagonal)
            return cpu::diagonal_subtree(*a.analysis, *a.subtree, a.operation, factor, second_passes, x);
        const index_t ncb = tree.fronts[static_cast<std::size_t>(a.subtree->root_front)].ncb();
        const count_t own = cpu::subtree_solve_scalars(tree, *a.subtree, x.cols);
        const count_t above = static_cast<count_t>(ncb) * x.cols;
        const auto arena = a.workspaces->lend((own + above) * static_cast<count_t>(sizeof(T)));
        T* work = arena.template as<T>();
        if (a.stage == SolveStage::forward) {
            const auto y = ncb > 0 ? matrix_buffer<T>(buffers, 3) : DenseView<T>{};
            return cpu::forward_subtree(*a.analysis, *a.subtree, a.operation, factor, perm, second_passes, x, y, work);
        }
        const DenseView<T> y{work + own, ncb, x.cols, std::max<index_t>(ncb, 1)};
        if (ncb > 0) collect_above(*a.link, buffers, y);
        cpu::backward_subtree(*a.analysis, *a.subtree, a.operation, factor, perm, second_passes, x, as_const(y), work);
    });
}

}  // namespace

template <class T>
starpu_codelet& solve_subtree_codelet() {
    static TaskKind kind("solve_subtree", 0x6A8CAF, TaskModel::Work::bytes, relative_speed<T>, solve_subtree_cpu<T>);
    return kind.codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& solve_subtree_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
