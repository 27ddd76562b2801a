// SPDX-License-Identifier: BSD-3-Clause
// A subtree level by level. Where a pivot is not plainly good, the host does the whole subtree instead.
#include <algorithm>

#include "copies.hpp"
#include "drain.hpp"
#include "frond/base/host_block.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/cpu/subtree.hpp"
#include "frond/gpu/tile_tasks.hpp"
#include "subtree_batch.hpp"

namespace frond::gpu {
namespace {

/// Host memory in the shape of a block of the device.
template <class T>
DenseView<T> block_of(T* host, DenseView<T> shape) {
    return {host, shape.rows, shape.cols, std::max<index_t>(shape.rows, 1)};
}

/// The same task on the host, its results brought to the device.
template <class T>
void factor_on_host(SubtreeArguments& a, T* chunk, DenseView<T> contribution,
                    cpu::SubtreeSecondPasses<T>* second_passes) {
    const count_t scalars = cpu::subtree_factor_scalars(a.analysis->tree, *a.subtree, a.analysis->factorization);
    const count_t block = static_cast<count_t>(contribution.rows) * contribution.cols;
    const HostBlock memory((scalars + block) * static_cast<count_t>(sizeof(T)));
    T* const host = static_cast<T*>(memory.data());
    factor_subtree_on_host<T>(a, host, block_of(host + scalars, contribution), second_passes);
    drain();
    send(chunk, host, sizeof(T) * static_cast<std::size_t>(scalars), "sending the factors of a subtree");
    send(contribution, block_of(host + scalars, contribution));
    drain();
}

}  // namespace

template <class T>
void factor_subtree(void* buffers[], void* raw) noexcept {
    run_task<SubtreeArguments>(raw, [&](SubtreeArguments& a) {
        const DrainAtExit drained;
        const Front& root = a.analysis->tree.fronts[static_cast<std::size_t>(a.subtree->root_front)];
        T* const chunk = vector_buffer<T>(buffers, 0);
        const DenseView<T> contribution = root.ncb() > 0 ? matrix_buffer<T>(buffers, 1) : DenseView<T>{};
        cpu::SubtreeSecondPasses<T>* const second_passes = second_passes_of<T>(a, buffers, root.ncb() > 0);
        if (!SubtreeBatch<T>(a, chunk, contribution, second_passes).run())
            factor_on_host(a, chunk, contribution, second_passes);
    });
}

#define FROND_INSTANTIATE(T) template void factor_subtree<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
