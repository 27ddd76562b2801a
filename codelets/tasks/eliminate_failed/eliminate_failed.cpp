// SPDX-License-Identifier: BSD-3-Clause
// The tasks that take failed columns from the children and hand them to the parent.
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/codelets/second_pass_flops.hpp"

namespace frond {
namespace {

/// What a child has delayed is empty afterwards: another run, where memory was refused, goes on with the next one.
template <class T>
void gather_failed_cpu(void* buffers[], void* raw) noexcept {
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

template <class T>
void eliminate_failed_cpu(void* buffers[], void* raw) noexcept {
    run_task<EliminateFailedArguments>(raw, [&](EliminateFailedArguments& a) {
        auto& failed = object_buffer<cpu::FailedColumns<T>>(buffers, 0);
        auto& second_pass = object_buffer<cpu::SecondPass<T>>(buffers, 1);
        cpu::DelayedColumns<T> none;  // at a root
        auto& delayed = a.at_root ? none : object_buffer<cpu::DelayedColumns<T>>(buffers, 3);
        PivotOutcome& outcome = outcome_buffer(a.kind, buffers, 2);
        if (!failed.empty()) {
            cpu::eliminate_failed(a.kind, a.at_root, std::move(failed), a.rule, second_pass, delayed, outcome.counts);
            a.flops = second_pass_flops(a.kind, second_pass) * flops_per_real<T>;
        }
        announce_hand_over(a.at_root ? nullptr : &delayed, outcome);
    });
}

}  // namespace

template <class T>
starpu_codelet& gather_failed_codelet() {
    static starpu_codelet codelet = make_codelet("gather_failed", gather_failed_cpu<T>, 0x7FB685);
    return codelet;
}

template <class T>
starpu_codelet& eliminate_failed_codelet() {
    static starpu_codelet codelet = make_codelet("eliminate_failed", eliminate_failed_cpu<T>, 0xB5179E);
    return codelet;
}

#define FROND_INSTANTIATE(T)                             \
    template starpu_codelet& gather_failed_codelet<T>(); \
    template starpu_codelet& eliminate_failed_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
