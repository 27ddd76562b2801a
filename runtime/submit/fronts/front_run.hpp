// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "factors/factors_state.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "memory/memory_budget.hpp"
#include "memory/predict_peak.hpp"
#include "memory/unit_account.hpp"

namespace frond::detail {

/// Contribution block of a subtree's root, until the parent is assembled.
template <class T>
struct SubtreeContribution {
    HostBlock memory;
    DataHandle handle;
};

/// What one unit (subtree or front on tiles) needs while its tasks run. Lives until the job has ended.
template <class T>
struct FrontRun {
    index_t front = -1;
    UnitBytes bytes;
    TiledFront<T>* tiled = nullptr;  // null for subtrees
    SubtreeContribution<T> contribution;
    std::vector<TileAssembly> assemblies;  // [tiles, tiles], of the stored tiles
    // Threshold pivoting, of a front on tiles:
    cpu::FailedColumns<T> failed;
    cpu::DelayedColumns<T> delayed;  // what it hands to its parent; of a subtree among its factors of the second pass
    DataHandle failed_handle;
    DataHandle start_handle;  // of no data: written by gather_failed, read by all tasks that begin the front
    DataHandle second_pass_handle;
    DataHandle delayed_handle;  // of subtrees, too
    std::unique_ptr<PanelLimit[]> limits;  // [own tiles] what the panel tiles allow
    std::vector<PivotReport> reports;  // one a diagonal tile, or the subtree's
    std::atomic<double> seconds{0};
    Place place = Place::any;  // of the tasks on tiles
    std::vector<unsigned char> inverses_usable;  // [own tiles] see FactorDiagonalArguments

    // Tasks that still read the children's contributions, or the panel backup; + 1 while tasks are submitted.
    std::atomic<index_t> assembly_left{0};
    std::atomic<index_t> backup_uses_left{0};
    std::vector<FrontRun*> children;
    count_t first_order = 0;  // tasks of the job that were submitted before the unit's own
    count_t end_order = -1;  // and with them; -1: the unit is being submitted
    Job* job = nullptr;
    MemoryBudget* budget = nullptr;
    std::unique_ptr<UnitAccount> account;  // threshold pivoting

    void free_contribution() noexcept {
        if (tiled != nullptr)
            tiled->free_contribution();
        else
            contribution.memory.release();
        give_back(bytes.contribution);
    }
    void give_back(count_t released) noexcept {
        budget->release(released);
        job->signal();  // the thread that submits may wait for it
    }
    void unregister_contribution() {
        if (tiled != nullptr)
            tiled->unregister_contribution();
        else
            contribution.handle.release_when_unused();
    }
};

/// For insert_task: counts down, and frees what nobody reads any more.
template <class T>
void after_assembly(void* run) noexcept {
    auto& front = *static_cast<FrontRun<T>*>(run);
    if (front.assembly_left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    for (FrontRun<T>* child : front.children) child->free_contribution();
    front.assemblies = {};
}

template <class T>
void after_backup_use(void* run) noexcept {
    auto& front = *static_cast<FrontRun<T>*>(run);
    if (front.backup_uses_left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    front.tiled->free_panel_backup();
    front.give_back(front.bytes.temporary);
}

/// The last task that decides on pivots of the unit has ended.
template <class T>
void after_pivots(void* run) noexcept {
    auto& front = *static_cast<FrontRun<T>*>(run);
    front.budget->count_delayed(front.reports.back().delayed);
    if (front.tiled == nullptr) front.give_back(front.bytes.temporary);  // the arena is gone
}

}  // namespace frond::detail
