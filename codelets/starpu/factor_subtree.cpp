// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/host_block.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/cpu/subtree.hpp"
#include "frond/codelets/second_pass_flops.hpp"

namespace frond {
namespace {

/// What a front with failed pivots took beside its prediction: the first pass that gave up, and the second pass with
/// its update of the contribution block in place of what was predicted.
template <class T>
double front_with_failed_pivots_flops(const Analysis& analysis,
                                      const typename cpu::SubtreeSecondPasses<T>::FrontWithFailedPivots& hard) {
    const Front& front = analysis.tree.fronts[static_cast<std::size_t>(hard.front)];
    const Factorization kind = analysis.factorization;
    const bool lu = kind == Factorization::lu;
    const double ncb = front.ncb(), pivots = hard.second_pass.kept;
    double flops = second_pass_flops(kind, hard.second_pass) +
                   (lu ? update_flops(ncb, ncb, pivots) : update_lower_flops(ncb, pivots));
    if (hard.tried_pivots) flops += lu ? factor_lu_flops(front.npiv) : factor_symmetric_flops(front.npiv);
    if (hard.tried_rows) flops += solve_panel_flops(ncb, front.npiv);
    return flops - analysis.cost.front_flops[static_cast<std::size_t>(hard.front)];
}

template <class T>
double flops_beside_prediction(const SubtreeArguments& a, const cpu::SubtreeSecondPasses<T>* second_passes) {
    if (second_passes == nullptr) return 0;
    double sum = 0;
    for (const auto& hard : second_passes->fronts) sum += front_with_failed_pivots_flops<T>(*a.analysis, hard);
    return sum * flops_per_real<T>;
}

template <class T>
void factor_subtree_cpu(void* buffers[], void* raw) noexcept {
    run_task<SubtreeArguments>(raw, [&](SubtreeArguments& a) {
        const AssemblyTree& tree = a.analysis->tree;
        const index_t ncb = tree.fronts[static_cast<std::size_t>(a.subtree->root_front)].ncb();
        factor_subtree_on_host(a, vector_buffer<T>(buffers, 0), ncb > 0 ? matrix_buffer<T>(buffers, 1) : DenseView<T>{},
                               second_passes_of<T>(a, buffers, ncb > 0));
    });
}

}  // namespace

template <class T>
void factor_subtree_on_host(SubtreeArguments& a, T* chunk, DenseView<T> contribution,
                            cpu::SubtreeSecondPasses<T>* second_passes) {
    const count_t scalars = cpu::subtree_arena_scalars(a.analysis->tree, *a.subtree, a.analysis->factorization);
    const HostBlock arena(scalars * static_cast<count_t>(sizeof(T)));
    try {
        cpu::factor_subtree(*a.analysis, *a.subtree, static_cast<const T*>(a.entries), a.rule, chunk, a.perm,
                            contribution, static_cast<T*>(arena.data()), a.job->stop_flags(), second_passes, *a.report,
                            a.account);
    } catch (const Deferred&) {
        *second_passes = {};
        *a.report = {};
        throw;
    }
    static_cast<void>(a.job->stopped());  // where the kernel saw that it was cancelled, the job has to know
    a.flops += flops_beside_prediction<T>(a, second_passes);
}

template <class T>
starpu_codelet& factor_subtree_codelet() {
    static starpu_codelet codelet = make_codelet("factor_subtree", factor_subtree_cpu<T>, 0x457B9D);
    return codelet;
}

#define FROND_INSTANTIATE(T)                              \
    template starpu_codelet& factor_subtree_codelet<T>(); \
    template void factor_subtree_on_host<T>(SubtreeArguments&, T*, DenseView<T>, cpu::SubtreeSecondPasses<T>*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
