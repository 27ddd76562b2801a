// SPDX-License-Identifier: BSD-3-Clause
// A subtree level by level. Where a pivot is not plainly good, the host does the whole subtree instead.
#include "factor_subtree.hpp"

#include <algorithm>

#include "frond/base/host_block.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/subtree.hpp"
#include "subtree_batch_gpu.hpp"
#include "worker/copies.hpp"
#include "worker/drain.hpp"

namespace frond::gpu {
namespace {

/// Host memory in the shape of a block of the device.
template <class T>
DenseView<T> block_of(T* host, DenseView<T> shape) {
    return {host, shape.rows, shape.cols, std::max<index_t>(shape.rows, 1)};
}

/// The same task on the host, its results brought to the device.
template <class T>
void factor_on_host(SubtreeArguments& a, const SubtreeBuffers<T>& buffers) {
    const DenseView<T> contribution = buffers.contribution;
    const count_t scalars = cpu::subtree_factor_scalars(a.analysis->tree, *a.subtree, a.analysis->factorization);
    const count_t block = static_cast<count_t>(contribution.rows) * contribution.cols;
    const HostBlock memory((scalars + block) * static_cast<count_t>(sizeof(T)));
    SubtreeBuffers<T> on_host = buffers;
    on_host.chunk = static_cast<T*>(memory.data());
    on_host.contribution = block_of(on_host.chunk + scalars, contribution);
    factor_subtree_on_host<T>(a, on_host);
    drain();
    send(buffers.chunk, on_host.chunk, sizeof(T) * static_cast<std::size_t>(scalars),
         "sending the factors of a subtree");
    send(contribution, on_host.contribution);
    drain();
}

}  // namespace

template <class T>
void factor_subtree(void* buffers[], void* raw) noexcept {
    run_task<SubtreeArguments>(raw, [&](SubtreeArguments& a) {
        const DrainAtExit drained;
        const SubtreeBuffers<T> given(a, buffers);
        if (!SubtreeBatch<T>(a, given).run()) factor_on_host(a, given);
    });
}

#define FROND_INSTANTIATE(T) template void factor_subtree<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
