// SPDX-License-Identifier: BSD-3-Clause
#include "gather_level.hpp"

#include <algorithm>

#include "check.hpp"
#include "device_scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"
#include "relative_address.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads = 256, most_blocks = 2048, slow_blocks = 256;
constexpr index_t warp = 32, columns_of_block = 8;

/// Block column x is a front; its blocks y share the work.
template <class S>
__global__ void add_entries_kernel(const DenseFront<S>* fronts, const FrontSources* sources, LevelEntries<S> entries) {
    const DenseFront<S> f = fronts[blockIdx.x];
    const FrontSources from = sources[blockIdx.x];
    const count_t step = static_cast<count_t>(blockDim.x) * gridDim.y;
    for (count_t e = from.first_entry + blockIdx.y * blockDim.x + threadIdx.x; e < from.last_entry; e += step)
        if (const index_t j = entries.column[e]; j >= f.first && j < f.columns()) {
            S& to = f.data[entries.row[e] + j * f.ld];
            to = to + entries.value[e];
        }
}

/// A warp makes a column, each of its threads a few rows at a time: the sums of what the children have there.
template <class S>
__global__ void gather_children_kernel(const DenseFront<S>* fronts, const FrontSources* sources,
                                       const ChildBlock<S>* children, bool symmetric, unsigned char* const* begins) {
    constexpr index_t rounds = 4;
    const DenseFront<S> f = fronts[blockIdx.x];
    const FrontSources from = sources[blockIdx.x];
    const index_t lane = static_cast<index_t>(threadIdx.x) % warp, own = static_cast<index_t>(threadIdx.x) / warp;
    const index_t step = columns_of_block * static_cast<index_t>(gridDim.y);
    for (index_t j = f.first + columns_of_block * static_cast<index_t>(blockIdx.y) + own; j < f.columns(); j += step)
        for (index_t i = (symmetric ? j : 0) + lane; i - lane < f.order; i += rounds * warp) {
            S sum[rounds];
            for (S& s : sum) s = RealOf<S>::make(0);
            for (index_t c = from.first_child; c < from.last_child; ++c) {
                const ChildBlock<S> child = children[c];
                const index_t column = child.column_of[j];
                if (column < 0) continue;
                const S* const values = in_memory(child.data, begins) + column * child.ld;
#pragma unroll
                for (index_t r = 0; r < rounds; ++r) {
                    const index_t row = i + r * warp < f.order ? child.row_of[i + r * warp] : -1;
                    if (row >= 0) sum[r] = sum[r] + values[row];
                }
            }
#pragma unroll
            for (index_t r = 0; r < rounds; ++r)
                if (i + r * warp < f.order) f.data[i + r * warp + j * f.ld] = sum[r];
        }
}

/// Blocks that share the columns of a front.
unsigned blocks_per_front(index_t largest_order) {
    return std::clamp(parts(largest_order, static_cast<unsigned>(columns_of_block)), 1U, most_blocks);
}

template <class S>
LevelEntries<S> on_device(const LevelEntries<S>& e) {
    return e;
}
template <class R>
LevelEntries<Complex<R>> on_device(const LevelEntries<std::complex<R>>& e) {
    return {e.row, e.column, reinterpret_cast<const Complex<R>*>(e.value)};
}

}  // namespace

template <class T>
void gather_level(Stream stream, index_t count, index_t largest_order, const DenseFront<T>* fronts,
                  const FrontSources* sources, const LevelEntries<T>& entries, const ChildBlock<T>* children,
                  bool symmetric, unsigned char* const* begins, Pace pace) {
    using S = DeviceScalar<T>;
    const auto* const squares = reinterpret_cast<const DenseFront<S>*>(fronts);
    const auto fronts_of_level = static_cast<unsigned>(count);
    const unsigned blocks = blocks_per_front(largest_order);
    launch<S, gather_children_kernel<S>>(
        stream, {dim3(fronts_of_level, pace == Pace::slow ? std::min(blocks, slow_blocks) : blocks), threads}, squares,
        sources, reinterpret_cast<const ChildBlock<S>*>(children), symmetric, begins);
    check_launch("gather_children");
    launch<S, add_entries_kernel<S>>(stream, {dim3(fronts_of_level, 4), threads}, squares, sources, on_device(entries));
    check_launch("add_entries");
}

#define FROND_INSTANTIATE(T)                                                                           \
    template void gather_level<T>(Stream, index_t, index_t, const DenseFront<T>*, const FrontSources*, \
                                  const LevelEntries<T>&, const ChildBlock<T>*, bool, unsigned char* const*, Pace);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
