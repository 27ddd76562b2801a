// SPDX-License-Identifier: BSD-3-Clause
#include "subtree_level.hpp"

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
__global__ void add_entries_kernel(const DenseFront<S>* fronts, const FrontSources* sources, LevelEntries<S> entries,
                                   bool add) {
    const DenseFront<S> f = fronts[blockIdx.x];
    const FrontSources from = sources[blockIdx.x];
    const count_t step = static_cast<count_t>(blockDim.x) * gridDim.y;
    for (count_t e = from.first_entry + blockIdx.y * blockDim.x + threadIdx.x; e < from.last_entry; e += step)
        if (const index_t j = entries.column[e]; j >= f.first && j < f.columns()) {
            S& to = f.data[entries.row[e] + j * f.ld];
            to = add ? to + entries.value[e] : entries.value[e];
        }
}

/// The first of rows [0, n), ascending, that is not below `row`.
FROND_DEVICE index_t first_not_below(const index_t* rows, index_t n, index_t row) {
    index_t low = 0;
    while (n > low) {
        const index_t middle = (low + n) / 2;
        if (rows[middle] < row)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/// to[rows[i]] += from[i], i = first, first + 32, ..: loads of several rounds are under way at once.
template <class S>
__device__ void add_column(const S* __restrict__ from, const index_t* __restrict__ rows, index_t first, index_t last,
                           S* __restrict__ to) {
    constexpr index_t rounds = 4;
    index_t i = first;
    for (; i + (rounds - 1) * warp < last; i += rounds * warp) {
        S sum[rounds];
        index_t row[rounds];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r) row[r] = rows[i + r * warp];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r) sum[r] = to[row[r]] + from[i + r * warp];
#pragma unroll
        for (index_t r = 0; r < rounds; ++r) to[row[r]] = sum[r];
    }
    for (; i < last; i += warp) to[rows[i]] = to[rows[i]] + from[i];
}

/// A block owns columns_of_block columns of its front at a time and adds the children one after the other:
/// a warp along the rows of a column.
template <class S>
__global__ void add_children_kernel(const DenseFront<S>* fronts, const FrontSources* sources,
                                    const ChildBlock<S>* children, bool symmetric) {
    const DenseFront<S> f = fronts[blockIdx.x];
    const FrontSources from = sources[blockIdx.x];
    if (from.first_child == from.last_child) return;
    const index_t lane = static_cast<index_t>(threadIdx.x) % warp, own = static_cast<index_t>(threadIdx.x) / warp;
    const index_t step = columns_of_block * static_cast<index_t>(gridDim.y);
    for (index_t begin = columns_of_block * static_cast<index_t>(blockIdx.y); begin < f.order; begin += step)
        for (index_t c = from.first_child; c < from.last_child; ++c) {
            const ChildBlock<S> child = children[c];
            const index_t first = first_not_below(child.rows, child.ncb, begin);
            const index_t last = first_not_below(child.rows, child.ncb, begin + columns_of_block);
            for (index_t j = first + own; j < last; j += columns_of_block) {
                add_column(child.data + j * child.ld, child.rows, (symmetric ? j : 0) + lane, child.ncb,
                           f.data + child.rows[j] * f.ld);
            }
            __syncthreads();
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
                const index_t column = child.row_of[j];
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

template <class S>
__device__ void store_pivots(const DenseFront<S>& f, const FrontResults<S>& to, Factorization kind) {
    const bool indefinite = kind == Factorization::ldlt || kind == Factorization::ldlh;
    const index_t count = indefinite ? 2 * f.npiv : f.npiv;
    for (index_t k = static_cast<index_t>(threadIdx.x); k < count; k += static_cast<index_t>(blockDim.x))
        to.pivots[k] = indefinite ? f.pivots[k] : f.data[k * (1 + f.ld)];
}

/// Symmetric kinds: zeros above the diagonal.
template <class S>
__global__ void store_kernel(const DenseFront<S>* fronts, const FrontResults<S>* results, Factorization kind) {
    const DenseFront<S> f = fronts[blockIdx.x];
    const FrontResults<S> to = results[blockIdx.x];
    const bool lu = kind == Factorization::lu;
    if (blockIdx.y == 0) store_pivots(f, to, kind);
    const index_t lane = static_cast<index_t>(threadIdx.x) % warp, own = static_cast<index_t>(threadIdx.x) / warp;
    const index_t columns = lu ? f.order : f.npiv, step = columns_of_block * static_cast<index_t>(gridDim.y);
    for (index_t j = columns_of_block * static_cast<index_t>(blockIdx.y) + own; j < columns; j += step) {
        const S* const from = f.data + j * f.ld;
        if (j < f.npiv)
            for (index_t i = lane; i < f.order; i += warp)
                to.panel[i + j * static_cast<count_t>(f.order)] = lu || i >= j ? from[i] : RealOf<S>::make(0);
        else
            for (index_t i = lane; i < f.npiv; i += warp)
                to.upper[i + (j - f.npiv) * static_cast<count_t>(f.npiv)] = from[i];
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
void assemble_level(Stream stream, index_t count, index_t largest_order, const DenseFront<T>* fronts,
                    const FrontSources* sources, const LevelEntries<T>& entries, const ChildBlock<T>* children,
                    bool symmetric) {
    using S = DeviceScalar<T>;
    const auto* const squares = reinterpret_cast<const DenseFront<S>*>(fronts);
    const auto fronts_of_level = static_cast<unsigned>(count);
    launch(stream, {dim3(fronts_of_level, 4), threads}, add_entries_kernel<S>, squares, sources, on_device(entries),
           false);
    check_launch("add_entries");
    launch(stream, {dim3(fronts_of_level, blocks_per_front(largest_order)), threads}, add_children_kernel<S>, squares,
           sources, reinterpret_cast<const ChildBlock<S>*>(children), symmetric);
    check_launch("add_children");
}

template <class T>
void gather_level(Stream stream, index_t count, index_t largest_order, const DenseFront<T>* fronts,
                  const FrontSources* sources, const LevelEntries<T>& entries, const ChildBlock<T>* children,
                  bool symmetric, unsigned char* const* begins, Pace pace) {
    using S = DeviceScalar<T>;
    const auto* const squares = reinterpret_cast<const DenseFront<S>*>(fronts);
    const auto fronts_of_level = static_cast<unsigned>(count);
    const unsigned blocks = blocks_per_front(largest_order);
    launch(stream, {dim3(fronts_of_level, pace == Pace::slow ? std::min(blocks, slow_blocks) : blocks), threads},
           gather_children_kernel<S>, squares, sources, reinterpret_cast<const ChildBlock<S>*>(children), symmetric,
           begins);
    check_launch("gather_children");
    launch(stream, {dim3(fronts_of_level, 4), threads}, add_entries_kernel<S>, squares, sources, on_device(entries),
           true);
    check_launch("add_entries");
}

template <class T>
void store_level(Stream stream, index_t count, index_t largest_order, const DenseFront<T>* fronts,
                 const FrontResults<T>* results, Factorization kind) {
    using S = DeviceScalar<T>;
    launch(stream, {dim3(static_cast<unsigned>(count), blocks_per_front(largest_order)), threads}, store_kernel<S>,
           reinterpret_cast<const DenseFront<S>*>(fronts), reinterpret_cast<const FrontResults<S>*>(results), kind);
    check_launch("store_level");
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template void assemble_level<T>(Stream, index_t, index_t, const DenseFront<T>*, const FrontSources*,            \
                                    const LevelEntries<T>&, const ChildBlock<T>*, bool);                            \
    template void gather_level<T>(Stream, index_t, index_t, const DenseFront<T>*, const FrontSources*,              \
                                  const LevelEntries<T>&, const ChildBlock<T>*, bool, unsigned char* const*, Pace); \
    template void store_level<T>(Stream, index_t, index_t, const DenseFront<T>*, const FrontResults<T>*, Factorization);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
