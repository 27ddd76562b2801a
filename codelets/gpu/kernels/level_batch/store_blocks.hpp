// SPDX-License-Identifier: BSD-3-Clause
// Factors of eliminated fronts to where they stay. Arrays in device memory; asynchronous on the stream.
#pragma once

#include "kernels/dense/eliminate.hpp"

namespace frond::gpu {

/// to [rows, cols] := from; lower_only: zeros above the diagonal; leave_upper: what is there stays. `to` is relative to
/// the parts of relative_address.hpp, here and below; parts: where they begin, in device memory.
template <class T>
struct StoreBlock {
    const T* from = nullptr;
    T* to = nullptr;
    count_t from_ld = 0, to_ld = 0;
    index_t rows = 0, cols = 0;
    bool lower_only = false, leave_upper = false;
};

template <class T>
void store_blocks(Stream stream, index_t count, index_t most_columns, const StoreBlock<T>* blocks,
                  unsigned char* const* parts);
/// The same to memory of the host, with so few threads that other kernels go on meanwhile; scalars: of all blocks.
template <class T>
void store_blocks_slowly(Stream stream, index_t count, count_t scalars, const StoreBlock<T>* blocks,
                         unsigned char* const* parts);

/// pivots[k] of each front := entry (k, k), of columns in memory.
template <class T>
void store_diagonals(Stream stream, index_t count, const DenseFront<T>* fronts);

/// Pivots of `count` columns, to where they lie in their block of the factors; null: not kept there.
template <class T>
struct StorePivots {
    const T* from = nullptr;  // [2, count]
    T* to = nullptr;
    const index_t* perm_from = nullptr;
    index_t* perm_to = nullptr;  // less perm_shift
    index_t perm_shift = 0, count = 0;
    T* zeros = nullptr;  // [count] := 0
};

template <class T>
void store_pivots(Stream stream, index_t count, const StorePivots<T>* pieces, unsigned char* const* parts);

}  // namespace frond::gpu
