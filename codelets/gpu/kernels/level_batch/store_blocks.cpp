// SPDX-License-Identifier: BSD-3-Clause
#include "store_blocks.hpp"

#include <algorithm>

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/copy_in_rounds.hpp"
#include "kernels/launch.hpp"
#include "relative_address.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads = 256, most_blocks = 256;
/// For the link to the host. A multiprocessor that has one of these blocks of threads takes none of a product, whose own
/// fill a whole one; so there are few. Four fill the link of an H200 with columns of thousands of numbers.
constexpr unsigned link_blocks = 8, link_threads = 512;
/// Blocks of fewer numbers, in the mean, wait for their beginnings more than for the link: they have many blocks of
/// threads, which do so many of them at a time.
constexpr count_t least_large = 16384;
constexpr unsigned small_blocks = 512, most_together = 64;
constexpr index_t lanes = 32, columns_of_block = 8;

/// rounds: numbers of each thread that are under way at once.
template <index_t rounds, class S>
__device__ void store_block(const StoreBlock<S>& b, unsigned char* const* begins) {
    const index_t lane = static_cast<index_t>(threadIdx.x) % lanes, own = static_cast<index_t>(threadIdx.x) / lanes;
    const index_t columns = static_cast<index_t>(blockDim.x) / lanes, step = columns * static_cast<index_t>(gridDim.y);
    S* const target = in_memory(b.to, begins);
    for (index_t j = columns * static_cast<index_t>(blockIdx.y) + own; j < b.cols; j += step) {
        const index_t first = b.leave_upper ? j / lanes * lanes : 0;
        const S* const from = b.from + j * b.from_ld + first;
        S* const to = target + j * b.to_ld + first;
        copy_in_rounds<S, rounds>(
            b.rows - first, lane, lanes,
            [&](index_t i) { return b.lower_only && first + i < j ? RealOf<S>::make(0) : from[i]; },
            [&](index_t i, S value) { to[i] = value; });
    }
}

template <index_t rounds, class S>
__global__ void store_blocks_kernel(const StoreBlock<S>* blocks, index_t count, unsigned char* const* begins) {
    for (auto n = static_cast<index_t>(blockIdx.x); n < count; n += static_cast<index_t>(gridDim.x))
        store_block<rounds>(blocks[n], begins);
}

template <class S>
__global__ void store_diagonals_kernel(const DenseFront<S>* fronts) {
    const DenseFront<S> f = fronts[blockIdx.x];
    for (index_t k = f.first + static_cast<index_t>(threadIdx.x); k < f.npiv; k += static_cast<index_t>(blockDim.x))
        f.pivots[k] = f.data[k * (1 + f.ld)];
}

template <class S>
__global__ void store_pivots_kernel(const StorePivots<S>* pieces, unsigned char* const* begins) {
    StorePivots<S> p = pieces[blockIdx.x];
    if (p.to != nullptr) p.to = in_memory(p.to, begins);
    if (p.perm_to != nullptr) p.perm_to = in_memory(p.perm_to, begins);
    if (p.zeros != nullptr) p.zeros = in_memory(p.zeros, begins);
    for (index_t k = static_cast<index_t>(threadIdx.x); k < p.count; k += static_cast<index_t>(blockDim.x)) {
        if (p.to != nullptr) p.to[2 * k] = p.from[2 * k], p.to[2 * k + 1] = p.from[2 * k + 1];
        if (p.perm_to != nullptr) p.perm_to[k] = p.perm_from[k] - p.perm_shift;
        if (p.zeros != nullptr) p.zeros[k] = RealOf<S>::make(0);
    }
}

}  // namespace

template <class T>
void store_blocks(Stream stream, index_t count, index_t most_columns, const StoreBlock<T>* blocks,
                  unsigned char* const* begins) {
    if (count == 0) return;
    const unsigned shared = std::clamp(parts(most_columns, static_cast<unsigned>(columns_of_block)), 1U, most_blocks);
    launch<DeviceScalar<T>, store_blocks_kernel<1, DeviceScalar<T>>>(
        stream, {dim3(static_cast<unsigned>(count), shared), threads},
        reinterpret_cast<const StoreBlock<DeviceScalar<T>>*>(blocks), count, begins);
    check_launch("store_blocks");
}

template <class T>
void store_blocks_slowly(Stream stream, index_t count, count_t scalars, const StoreBlock<T>* blocks,
                         unsigned char* const* begins) {
    if (count == 0) return;
    const bool are_large = scalars >= least_large * count;
    const unsigned together = are_large ? 1 : std::min(static_cast<unsigned>(count), most_together);
    const unsigned shares = are_large ? link_blocks : small_blocks / together;
    launch<DeviceScalar<T>, store_blocks_kernel<8, DeviceScalar<T>>>(
        stream, {dim3(together, shares), are_large ? link_threads : threads},
        reinterpret_cast<const StoreBlock<DeviceScalar<T>>*>(blocks), count, begins);
    check_launch("store_blocks_slowly");
}

template <class T>
void store_diagonals(Stream stream, index_t count, const DenseFront<T>* fronts) {
    launch<DeviceScalar<T>, store_diagonals_kernel<DeviceScalar<T>>>(
        stream, {static_cast<unsigned>(count), 128}, reinterpret_cast<const DenseFront<DeviceScalar<T>>*>(fronts));
    check_launch("store_diagonals");
}

template <class T>
void store_pivots(Stream stream, index_t count, const StorePivots<T>* pieces, unsigned char* const* begins) {
    if (count == 0) return;
    launch<DeviceScalar<T>, store_pivots_kernel<DeviceScalar<T>>>(
        stream, {static_cast<unsigned>(count), 128}, reinterpret_cast<const StorePivots<DeviceScalar<T>>*>(pieces),
        begins);
    check_launch("store_pivots");
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template void store_blocks<T>(Stream, index_t, index_t, const StoreBlock<T>*, unsigned char* const*);        \
    template void store_blocks_slowly<T>(Stream, index_t, count_t, const StoreBlock<T>*, unsigned char* const*); \
    template void store_diagonals<T>(Stream, index_t, const DenseFront<T>*);                                     \
    template void store_pivots<T>(Stream, index_t, const StorePivots<T>*, unsigned char* const*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
