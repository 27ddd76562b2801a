// SPDX-License-Identifier: BSD-3-Clause
#include "eliminate_failed.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

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
            a.flops = second_pass_flops(a.kind, recorded_second_pass(second_pass), second_pass.ncb) * flops_per_real<T>;
            a.work.flops = a.flops;
        }
        announce_hand_over(a.at_root ? nullptr : &delayed, outcome);
    });
}

}  // namespace

template <class T>
starpu_codelet& eliminate_failed_codelet() {
    static TaskKind kind("eliminate_failed", 0xB5179E, TaskModel::Work::flops, relative_speed<T>,
                         eliminate_failed_cpu<T>);
    return kind.codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& eliminate_failed_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
