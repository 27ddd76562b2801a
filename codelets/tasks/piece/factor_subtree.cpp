// SPDX-License-Identifier: BSD-3-Clause
#include "factor_subtree.hpp"

#include "frond/base/host_block.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/subtree.hpp"

namespace frond {
namespace {

template <class T>
double flops_beside_prediction(const SubtreeArguments& a, const cpu::SubtreeSecondPasses<T>& second_passes) {
    double sum = 0;
    for (const auto& failed : second_passes.fronts)
        sum += failed_front_flops(
            *a.analysis,
            {failed.front, {}, recorded_second_pass(failed.second_pass), failed.tried_pivots, failed.tried_rows});
    return sum * flops_per_real<T>;
}

/// What the kernel does not say of the pivots.
template <class T>
void complete_outcome(const SubtreeArguments& a, cpu::SubtreePivots<T>& pivots) {
    const std::vector<Front>& fronts = a.analysis->tree.fronts;
    for (const auto& failed : pivots.second_passes.fronts)
        pivots.outcome.kept -= fronts[static_cast<std::size_t>(failed.front)].npiv;
    announce_hand_over(can_hand_over(a) ? &pivots.second_passes.delayed : nullptr, pivots.outcome);
}

template <class T>
HostBlock arena_of(const SubtreeArguments& a) {
    const count_t scalars = cpu::subtree_arena_scalars(a.analysis->tree, *a.subtree, a.analysis->factorization);
    return HostBlock(scalars * static_cast<count_t>(sizeof(T)));
}

template <class T>
void simulate_subtree(void**, void* raw) noexcept {
    simulate_task<SubtreeArguments>(raw, [](const SubtreeArguments& a) {
        const count_t before = host_heap().new_bytes();
        if (a.memory != nullptr) a.memory->provide();
        HostBlock arena = arena_of<T>(a);
        *a.new_bytes_of_task += host_heap().new_bytes() - before;
        return arena;
    });
}

template <class T>
void factor_subtree_cpu(void* buffers[], void* raw) noexcept {
    run_task<SubtreeArguments>(raw, [&](SubtreeArguments& a) {
        if (a.memory != nullptr) a.memory->provide();
        const AssemblyTree& tree = a.analysis->tree;
        const bool has_block = tree.fronts[static_cast<std::size_t>(a.subtree->root_front)].ncb() > 0;
        const DenseView<T> contribution = has_block ? matrix_buffer<T>(buffers, 3) : DenseView<T>();
        const HostBlock arena = arena_of<T>(a);
        auto& pivots = object_buffer<cpu::SubtreePivots<T>>(buffers, 2);
        pivots.outcome.begin(static_cast<index_t>(pivots.perm.size()));
        try {
            cpu::factor_subtree(*a.analysis, *a.subtree, vector_buffer<const T>(buffers, 1), a.rule,
                                vector_buffer<T>(buffers, 0), pivots.perm.data(), contribution,
                                static_cast<T*>(arena.data()), a.job->stop_flags(),
                                a.threshold ? &pivots.second_passes : nullptr, pivots.outcome.counts, a.account);
        } catch (const Deferred&) {
            pivots.second_passes = {};
            throw;
        }
        static_cast<void>(a.job->stopped());  // where the kernel saw that it was cancelled, the job has to know
        complete_outcome(a, pivots);
        a.flops += flops_beside_prediction<T>(a, pivots.second_passes);
        a.work.flops = a.flops;
    });
}

}  // namespace

double failed_front_flops(const Analysis& analysis, const RecordedFront& found) {
    const Front& front = analysis.tree.fronts[static_cast<std::size_t>(found.front)];
    const Factorization kind = analysis.factorization;
    const bool lu = kind == Factorization::lu;
    const double ncb = front.ncb(), pivots = found.second_pass.kept;
    double flops = second_pass_flops(kind, found.second_pass, ncb) +
                   (lu ? update_flops(ncb, ncb, pivots) : update_lower_flops(ncb, pivots));
    if (found.tried_pivots) flops += lu ? factor_lu_flops(front.npiv) : factor_symmetric_flops(front.npiv);
    if (found.tried_rows) flops += solve_panel_flops(ncb, front.npiv);
    return flops - analysis.cost.front_flops[static_cast<std::size_t>(found.front)];
}

template <class T>
starpu_codelet& factor_subtree_codelet() {
    static TaskKind kind("factor_subtree", 0x457B9D, TaskModel::Work::flops, relative_speed<T>, factor_subtree_cpu<T>);
    kind.set_simulated_body(simulate_subtree<T>);
    return kind.codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& factor_subtree_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
