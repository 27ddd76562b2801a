// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/dense/bring_pivot_rows.hpp"
#include "plans/step_plan.hpp"
#include "worker/device_layout.hpp"
#include "worker/worker_context.hpp"

namespace frond::gpu {

/// What the elimination of a tile keeps on the device next to it; the first parts also have a block in pinned memory of
/// the host, from which they are sent, or to which they are fetched.
template <class T>
class DiagonalMemory {
public:
    DiagonalMemory(index_t n, const StepPlan& plan, bool searches) {
        DeviceLayout layout;
        front = layout.add<DenseFront<T>>(1);
        steps = layout.add<FrontStep>(plan.steps.size());
        growth = layout.add<unsigned long long>(1);
        answer = layout.add<EliminateAnswer>(1);
        sent_bytes = layout.bytes();
        pivots = layout.add<T>(2 * static_cast<std::size_t>(n));
        fetched_end = layout.bytes();
        saved = layout.add<T>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
        if (searches) {
            row_of = layout.add<index_t>(static_cast<std::size_t>(n));
            swaps = layout.add<RowSwaps>(1);
            selections = layout.add<PivotSelection>(static_cast<std::size_t>(pivot_selections(n)));
        }
        WorkerContext& context = worker_context();
        device = context.device.at_least(layout.bytes());
        pinned = context.pinned.at_least(fetched_end);
    }

    Place<DenseFront<T>> front;
    Place<FrontStep> steps;
    Place<EliminateAnswer> answer;
    Place<T> pivots, saved;
    Place<unsigned long long> growth;
    Place<index_t> row_of;  // where pivots are searched for, and the next two
    Place<RowSwaps> swaps;
    Place<PivotSelection> selections;
    std::size_t sent_bytes = 0, fetched_end = 0;
    void* device = nullptr;
    void* pinned = nullptr;
};

}  // namespace frond::gpu
