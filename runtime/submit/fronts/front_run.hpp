// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "factors/factors_state.hpp"
#include "frond/codelets/deferral.hpp"
#include "frond/cpu/failed_columns.hpp"
#include "frond/cpu/subtree.hpp"
#include "memory/memory_budget.hpp"
#include "memory/predict_peak.hpp"
#include "memory/unit_account.hpp"
#include "submit/fronts/exchange/received_block.hpp"
#include "submit/fronts/exchange/received_panels.hpp"
#include "submit/fronts/shared/shared_pivots.hpp"
#include "tasks/assembly/assemble_tile.hpp"

namespace frond::detail {

/// Contribution block of a subtree's root, until the parent is assembled. Its memory is taken by the subtree's task,
/// unless StarPU takes it.
template <class T>
struct SubtreeContribution final : LateMemory {
    HostBlock memory;
    T* data = nullptr;  // in that memory, or where a device has left the block
    unsigned node = 0;  // of StarPU, that has it
    DataHandle handle;
    std::shared_ptr<TaskData> late;  // until there is memory
    count_t bytes = 0;

    void provide() override {
        if (late == nullptr) return;
        memory = HostBlock(bytes);
        data = static_cast<T*>(memory.data());
        std::exchange(late, nullptr)->give_memory(memory.data());
    }
};

/// What one unit (subtree or front on tiles), or this rank's part of it, needs while its tasks run. Lives until the job has
/// ended. If another rank has the unit and its parent is here: what comes from it.
template <class T>
struct FrontRun {
    index_t front = -1;
    UnitBytes bytes;
    TiledFront<T>* tiled = nullptr;  // null for subtrees
    SubtreeContribution<T> contribution;
    const cpu::SubtreePivots<T>* subtree = nullptr;  // null for fronts on tiles
    bool is_made = false;  // by devices: there is a contribution block alone, and both of these are null
    count_t new_bytes = 0;  // of a subtree: of its memory, what its simulated task is the first to write
    DataHandle entries;  // of A
    std::vector<TileAssembly> assemblies;  // [tiles, tiles], of the stored tiles
    // Threshold pivoting, of a front on tiles:
    cpu::FailedColumns<T> failed;
    cpu::DelayedColumns<T> delayed;  // what it hands to its parent; of a subtree among its factors of the second pass
    DataHandle row_exchanges;  // of the panel that is being submitted, where rows are exchanged
    DataHandle failed_handle;
    DataHandle start_handle;  // of no data: written by gather_failed, read by all tasks that begin the front
    DataHandle delayed_handle;  // of subtrees, too
    std::atomic<double> seconds{0};
    Place place = Place::any;  // of the tasks on tiles

    // Tasks that still read the children's contributions, or the panel backup or received panels, with the messages of
    // these; + 1 while tasks are submitted.
    std::atomic<index_t> assembly_left{0};
    std::atomic<index_t> backup_uses_left{0};
    std::vector<FrontRun*> children;
    count_t first_order = 0;  // tasks of the job that were submitted before the unit's own
    count_t end_order = -1;  // and with them; -1: the unit is being submitted
    Job* job = nullptr;
    MemoryBudget* budget = nullptr;
    std::unique_ptr<UnitAccount> account;  // threshold pivoting

    // Between ranks:
    std::unique_ptr<ReceivedBlock<T>> received;  // contribution tiles of other ranks that are assembled here; else null
    count_t received_bytes = 0;
    std::unique_ptr<ReceivedPanels<T>> panels;  // of a shared front
    std::unique_ptr<SharedPivots<T>> pivots;  // of a shared front, with threshold pivoting
    std::vector<DataHandle> sent_tiles;  // of a subtree, in the memory of its contribution block
    // Uses of the contribution block that is here: its sends, + 1 while they are posted, and + 1 until it is assembled
    // here.
    std::atomic<index_t> contribution_uses{0};
    std::atomic<count_t>* waiting_sends = nullptr;  // of all units: until other ranks come to the parents
    Announcement announcement;
    DataHandle announcement_handle;
    cpu::DelayedColumns<T>* sent_delayed = nullptr;

    /// The last one to be known: of the last panel, or of the subtree.
    const PivotOutcome& last_outcome() const {
        return tiled != nullptr ? tiled->outcome(tiled->own_tiles() - 1) : subtree->outcome;
    }
    /// One use is over; the last one frees the block.
    void end_contribution_use() noexcept {
        if (contribution_uses.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        if (tiled != nullptr)
            tiled->free_contribution();
        else
            contribution.memory.release();
        give_back(bytes.contribution);
    }
    /// The parent is assembled here.
    void end_assembly() noexcept {
        if (received != nullptr) {
            received->free();
            give_back(received_bytes);
        }
        if (tiled != nullptr || subtree != nullptr || is_made) end_contribution_use();
    }
    void give_back(count_t released) noexcept {
        budget->release(released);
        job->signal();  // the thread that submits may wait for it
    }
    void unregister_contribution() {
        if (received != nullptr) received->unregister();
        if (tiled != nullptr) tiled->unregister_contribution();
        contribution.handle.release_when_unused();
    }
};

/// insert_task calls it after an assembly: it counts down, and frees what nobody reads any more.
template <class T>
void after_assembly(void* run) noexcept {
    auto& front = *static_cast<FrontRun<T>*>(run);
    if (front.assembly_left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    for (FrontRun<T>* child : front.children) child->end_assembly();
    front.assemblies = {};
}

template <class T>
void after_backup_use(void* run) noexcept {
    auto& front = *static_cast<FrontRun<T>*>(run);
    if (front.backup_uses_left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    front.tiled->free_panel_backup();
    if (front.panels != nullptr) front.panels->free();
    if (front.pivots != nullptr) front.pivots->free();
    front.give_back(front.bytes.temporary);
}

/// Called when the last task that decides on pivots of the unit has ended.
template <class T>
void after_pivots(void* run) noexcept {
    auto& front = *static_cast<FrontRun<T>*>(run);
    front.budget->count_delayed(front.last_outcome().counts.delayed);
    if (front.tiled == nullptr) front.give_back(front.bytes.temporary);  // the arena is gone
}

/// Called instead of it for a shared front, on the rank that leads.
template <class T>
void after_shared_pivots(void* run) noexcept {
    auto& front = *static_cast<FrontRun<T>*>(run);
    front.budget->count_delayed(front.pivots->outcome().counts.delayed);
    after_backup_use<T>(run);
}

}  // namespace frond::detail
