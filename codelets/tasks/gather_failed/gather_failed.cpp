// SPDX-License-Identifier: BSD-3-Clause
#include "gather_failed.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

/// What a child has delayed is empty afterwards: another run, where memory was refused, goes on with the next one.
template <class T>
void gather_failed_cpu(void* buffers[], void* raw) noexcept {
    if constexpr (is_simulation)
        return simulate_task<GatherFailedArguments>(raw, [](const GatherFailedArguments& a) {
            a.memory->provide();
            return 0;
        });
    run_task<GatherFailedArguments>(raw, [&](const GatherFailedArguments& a) {
        auto& failed = object_buffer<cpu::FailedColumns<T>>(buffers, 0);
        int buffer = 2;
        for (count_t c = a.tree->child_begin[at(a.front)]; c < a.tree->child_begin[at(a.front) + 1]; ++c) {
            const Front& child = a.tree->fronts[at(a.tree->children[at(c)])];
            cpu::take_delayed(a.kind, object_buffer<cpu::DelayedColumns<T>>(buffers, buffer++),
                              a.tree->relative_rows.data() + child.rows_begin, failed);
        }
        a.memory->provide();
    });
}

}  // namespace

template <class T>
starpu_codelet& gather_failed_codelet() {
    static TaskKind kind("gather_failed", 0x7FB685, TaskModel::Work::flops, relative_speed<T>, gather_failed_cpu<T>);
    kind.run_in_simulation();
    return kind.codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& gather_failed_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
