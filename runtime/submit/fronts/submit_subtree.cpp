// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/exchange/exchange_blocks.hpp"
#include "submit/fronts/submit_front.hpp"
#include "submit/fronts/task_work.hpp"
#include "tasks/piece/factor_subtree.hpp"

namespace frond::detail {

template <class T>
int FactorizationContext<T>::priority(double remaining_flops, int role) const {
    constexpr double levels = 100000;
    const double part = remaining_flops / longest_path_flops;
    // Flops of an analysis from a file may be anything, NaN too.
    return 4 * static_cast<int>(levels * (part > 0 ? std::min(part, 2.0) : 0.0)) + role;
}

template <class T>
DataHandle FactorizationContext<T>::entries_of(index_t first, index_t last) const {
    const std::vector<count_t>& begin = state->analysis->entry_map.front_begin;
    const count_t from = begin[static_cast<std::size_t>(first)], end = begin[static_cast<std::size_t>(last) + 1];
    return DataHandle::vector(entries + from, end - from);
}

namespace {

/// With devices the block has no home node: it stays where it was computed; unless parts of it are sent, from memory
/// that is there before, since StarPU may bring it to a device.
template <class T>
void contribution_of(const FactorizationContext<T>& context, const Front& root, FrontRun<T>& run) {
    if (context.with_devices && is_sent(context, run.front)) {
        run.contribution.memory = HostBlock(run.bytes.contribution, context.heap_of_messages());
        run.contribution.data = static_cast<T*>(run.contribution.memory.data());
        run.contribution.handle =
            DataHandle::matrix(DenseView<T>{run.contribution.data, root.ncb(), root.ncb(), root.ncb()});
        return;
    }
    if (context.with_devices) {
        run.contribution.handle = DataHandle::matrix_without_home<T>(root.ncb(), root.ncb());
        return;
    }
    run.contribution.bytes = run.bytes.contribution;
    run.contribution.handle = DataHandle::matrix_to_come<T>(root.ncb(), root.ncb());
    run.contribution.late = run.contribution.handle.late();
}

template <class T>
SubtreeFactors<T>& allocate(FactorizationContext<T>& context, FrontRun<T>& run, index_t subtree) {
    const Analysis& analysis = *context.state->analysis;
    const Subtree& s = analysis.mapping.subtrees[static_cast<std::size_t>(subtree)];
    SubtreeFactors<T>& factors = context.state->factors.subtrees()[static_cast<std::size_t>(subtree)];
    factors = SubtreeFactors<T>::make(analysis, static_cast<std::size_t>(subtree));
    const Front& root = analysis.tree.fronts[static_cast<std::size_t>(s.root_front)];
    if (root.ncb() > 0) {
        contribution_of(context, root, run);
    }
    return factors;
}

/// Beside those predicted.
double replayed_flops(const Analysis& analysis, const RecordedRun& run, const Subtree& subtree) {
    double flops = 0;
    for (const RecordedFront& found : run.fronts)
        if (found.front >= subtree.first_front && found.front <= subtree.root_front)
            flops += failed_front_flops(analysis, found);
    return flops;
}

template <class T>
SubtreeArguments arguments_of(const FactorizationContext<T>& context, FrontRun<T>& run, const Subtree& subtree) {
    const Analysis& analysis = *context.state->analysis;
    SubtreeArguments a;
    a.analysis = &analysis;
    a.subtree = &subtree;
    a.rule = context.rule;
    a.flops = subtree.flops * (is_complex<T> ? 4 : 1);
    if (context.replay != nullptr) a.flops += replayed_flops(analysis, *context.replay, subtree) * flops_per_real<T>;
    a.variant = variant_of(analysis.factorization, context.rule);
    a.work = work_of_subtree(analysis, subtree, static_cast<count_t>(sizeof(T)));
    a.new_bytes = a.new_bytes_of_task = &run.new_bytes;
    a.seconds = &run.seconds;
    a.label = label_of_subtree(analysis.tree, subtree.first_front, subtree.root_front);
    if (run.contribution.late != nullptr) a.memory = &run.contribution;
    if (context.rule.threshold > 0) {
        a.threshold = true;
        a.account = run.account.get();
        a.deferral = run.account.get();
    }
    return a;
}

}  // namespace

template <class T>
void submit_subtree(FactorizationContext<T>& context, FrontRun<T>& run, index_t subtree) {
    const Mapping& mapping = context.state->analysis->mapping;
    const Subtree& s = mapping.subtrees[static_cast<std::size_t>(subtree)];
    const count_t new_before = host_heap().new_bytes();
    SubtreeFactors<T>& factors = allocate(context, run, subtree);
    run.new_bytes = host_heap().new_bytes() - new_before;
    run.subtree = factors.pivots.get();
    run.entries = context.entries_of(s.first_front, s.root_front);
    if (is_sent(context, run.front)) prepare_sent(context, run);
    const SubtreeArguments a = arguments_of(context, run, s);
    std::vector<Access> accesses{{factors.handle.get(), STARPU_W},
                                 {run.entries.get(), STARPU_R},
                                 {factors.pivots_handle.get(), STARPU_W}};
    if (run.contribution.handle) accesses.push_back({run.contribution.handle.get(), STARPU_W});
    if (can_hand_over(a)) {
        run.delayed_handle = DataHandle::object(factors.pivots->second_passes.delayed);
        accesses.push_back({run.delayed_handle.get(), STARPU_W});
    }
    const double remaining = mapping.bottom_level_flops[static_cast<std::size_t>(s.root_front)] + s.flops;
    insert_task(*context.job, factor_subtree_codelet<T>(), a, accesses, context.priority(remaining, 3),
                {after_pivots<T>, &run});
    if (context.job->runs_at_once()) return;  // the task has ended: they go at once
    run.entries.release_when_unused();
    if (is_sent(context, run.front)) send_block(context, run);
}

#define FROND_INSTANTIATE(T)                 \
    template struct FactorizationContext<T>; \
    template void submit_subtree<T>(FactorizationContext<T>&, FrontRun<T>&, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
