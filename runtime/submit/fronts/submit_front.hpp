// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>

#include "frond/codelets/workspace_pool.hpp"
#include "frond/codelets/inverse_block.hpp"
#include "frond/codelets/recorded_pivots.hpp"
#include "factors/dense_ranks.hpp"
#include "messages/unit_messages.hpp"
#include "submit/fronts/front_run.hpp"
#include "submit/fronts/made_units.hpp"
#include "submit/fronts/exchange/row_selection.hpp"
#include "tasks/assembly/load_tile.hpp"

namespace frond::detail {

/// What all units of one factorization share.
template <class T>
struct FactorizationContext {
    Job* job = nullptr;
    FactorsState<T>* state = nullptr;
    T* entries = nullptr;  // scaled values in the order of the entry map
    const DenseSource<T>* dense = nullptr;  // in place of entries, where A is dense
    DenseLoading<T>* loading = nullptr;  // in place of it, where several ranks have A
    RowSelection* rows = nullptr;  // L U of a dense matrix exchanges rows; null: it does not
    index_t most_failed = -1;  // columns that may fail in a front; -1: any number
    PivotRule rule;
    MemoryBudget* budget = nullptr;
    WorkspacePool* workspaces = nullptr;
    double longest_path_flops = 1;  // of the bottom levels, for priorities
    bool with_devices = false;  // tasks may run there
    count_t most_pending_tasks = 0;  // see memory/predict_peak.hpp
    const TreeShare* share = nullptr;  // of state; null: one process
    UnitMessages* messages = nullptr;  // with share
    MadeUnits<T>* made = nullptr;  // with share: factored before; null: none
    index_t failing_unit = -1;  // for tests: before it is submitted, the job fails
    const RecordedRun* replay = nullptr;  // of a simulation: pivots that fail; null: none
    /// Returns when one more task may wait for its turn. Called before each task of a front on tiles but the few that
    /// only panels have.
    std::function<void()> make_room = [] {};
    /// Which tiles of a front on tiles are here.
    TilesHere tiles_here(index_t front) const {
        if (share == nullptr || !share->has_shared_tiles(front)) return {};
        return {&share->mapping.grid[at(front)], share->rank(), &heap_of_messages()};
    }
    /// For what travels between ranks: pinned memory where devices read and write it.
    HostHeap& heap_of_messages() const { return with_devices ? state->session->pinned_heap() : host_heap(); }
    /// Where tiles that travel lie.
    MessagePlace place_of_tiles() const { return with_devices ? MessagePlace::device : MessagePlace::host; }
    /// The entries of a unit, which has the fronts first .. last: the data of all its tasks that assemble.
    DataHandle entries_of(index_t first, index_t last) const;
    /// The recorded pivots of a front, in a simulation; null: no column of the front fails.
    const RecordedFront* replayed(index_t front) const { return replay != nullptr ? replay->find(front) : nullptr; }
    /// Priority of a task with this much work between it and the end of its root; role 0 (update) to 3.
    int priority(double remaining_flops, int role) const;
};

/// The label of a task on a tile, or on all of the front (-1). step: the panel that is eliminated.
template <class T>
TaskLabel label_of(const FactorizationContext<T>& context, const FrontRun<T>& run, index_t row, index_t column,
                   index_t step = -1) {
    TaskLabel label = label_of_front(context.state->analysis->tree, run.front);
    label.row = row;
    label.column = column;
    label.step = step;
    return label;
}

/// One task for a whole subtree. Its bytes must have been reserved.
template <class T>
void submit_subtree(FactorizationContext<T>& context, FrontRun<T>& run, index_t subtree);

/// Registers the data of a front and submits its tasks: the columns that failed below it, assembly from A and the
/// children, then the factorization. The children's handles are handed to StarPU for unregistering here.
/// @pre the bytes of the front are reserved; the tasks of all children have been submitted
template <class T>
void submit_front(FactorizationContext<T>& context, FrontRun<T>& run);

/// The parts of submit_front.
template <class T>
void submit_assembly(FactorizationContext<T>& context, FrontRun<T>& run);
/// Called instead of submit_assembly if A is dense.
template <class T>
void submit_dense_tiles(FactorizationContext<T>& context, FrontRun<T>& run);
template <class T>
void submit_elimination(FactorizationContext<T>& context, FrontRun<T>& run);

/// Room for the inverted diagonal blocks of panel k, where its tasks run on a device; else none.
template <class T>
DataHandle inverses_of_panel(const FrontRun<T>& run, index_t k) {
    if (run.place != Place::device || k + 1 == run.tiled->tiles()) return {};
    const index_t n = run.tiled->grid().size(k), triangles = run.tiled->kind() == Factorization::lu ? 2 : 1;
    return DataHandle::matrix_without_home<T>(std::min(inverse_block, n), triangles * n);
}

}  // namespace frond::detail
