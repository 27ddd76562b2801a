// SPDX-License-Identifier: BSD-3-Clause
#include "task_costs.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/codelets/solve_tasks.hpp"
#include "frond/codelets/task_model.hpp"

namespace frond::gpu {
namespace {

/// One model for each instance of this function: what a kind of task took says nothing of the others.
template <class T, starpu_codelet& (*codelet)()>
void add_cost(TaskModel::Work work, bool asynchronous = false) {
    static TaskModel model(work, relative_speed<T>, asynchronous);
    codelet().model = &model.starpu;
}

}  // namespace

template <class T>
void add_task_costs() {
    using Work = TaskModel::Work;
    add_cost<T, assemble_tile_codelet<T>>(Work::bytes);
    add_cost<T, accept_pivots_codelet<T>>(Work::bytes);
    add_cost<T, subtree_solve_codelet<T>>(Work::bytes);
    add_cost<T, gather_children_codelet<T>>(Work::bytes);
    add_cost<T, scatter_to_child_codelet<T>>(Work::bytes);
    add_cost<T, solve_diagonal_tile_codelet<T>>(Work::bytes);
    add_cost<T, second_pass_solve_codelet<T>>(Work::bytes);
    add_cost<T, update_segments_codelet<T>>(Work::bytes);
    add_cost<T, prepare_solve_codelet<T>>(Work::bytes);
    add_cost<T, solve_piece_codelet<T>>(Work::bytes);
    add_cost<T, solve_panel_codelet<T>>(Work::flops);
    add_cost<T, update_tile_codelet<T>>(Work::flops, true);
    add_cost<T, factor_diagonal_codelet<T>>(Work::flops);
    add_cost<T, eliminate_failed_codelet<T>>(Work::flops);
    add_cost<T, gather_failed_codelet<T>>(Work::flops);
    add_cost<T, factor_subtree_codelet<T>>(Work::subtree);
    add_cost<T, core_piece_codelet<T>>(Work::flops);
}

#define FROND_INSTANTIATE(T) template void add_task_costs<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
