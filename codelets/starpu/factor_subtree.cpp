// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/host_block.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/cpu/subtree.hpp"

namespace frond {
namespace {

template <class T>
void factor_subtree_cpu(void* buffers[], void* raw) noexcept {
    run_task<SubtreeArguments>(raw, [&](const SubtreeArguments& a) {
        const AssemblyTree& tree = a.analysis->tree;
        const index_t ncb = tree.fronts[static_cast<std::size_t>(a.subtree->root_front)].ncb();
        const DenseView<T> contribution = ncb > 0 ? matrix_buffer<T>(buffers, 1) : DenseView<T>{};
        const count_t scalars = cpu::subtree_arena_scalars(tree, *a.subtree, a.analysis->factorization);
        const HostBlock arena(scalars * static_cast<count_t>(sizeof(T)));
        cpu::factor_subtree(*a.analysis, *a.subtree, static_cast<const T*>(a.entries), a.rule,
                            vector_buffer<T>(buffers, 0), a.perm, contribution, static_cast<T*>(arena.data()),
                            &a.job->stop_flag(),
                            static_cast<cpu::SubtreeLeftovers<T>*>(a.leftovers), *a.report);
    });
}

}  // namespace

template <class T>
starpu_codelet& factor_subtree_codelet() {
    static starpu_codelet codelet = make_codelet("factor_subtree", factor_subtree_cpu<T>, 0x457B9D);
    return codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& factor_subtree_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
