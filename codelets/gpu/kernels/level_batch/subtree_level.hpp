// SPDX-License-Identifier: BSD-3-Clause
// The fronts of one level of a subtree, all at once: assembled before they are eliminated, brought to the
// chunk of factors after it.
#pragma once

#include "kernels/dense/eliminate.hpp"

namespace frond::gpu {

/// The contribution block of a child, part of its square; row i is added to row rows[i] of the parent. For gather_level
/// data is relative to the parts of relative_address.hpp.
template <class T>
struct ChildBlock {
    const T* data = nullptr;
    count_t ld = 0;
    index_t ncb = 0;
    const index_t* rows = nullptr;  // [ncb], ascending
    const index_t* row_of = nullptr;  // [order of the parent], for gather_level: the other way, -1 where there is none
};

/// What is assembled into a front: entries of A and children, [first, last) of the arrays of the subtree.
struct FrontSources {
    count_t first_entry = 0, last_entry = 0;
    index_t first_child = 0, last_child = 0;
};

/// Where the results of a front go: its part of the chunk as frond::front_panels lays it out, and once more
/// its pivots (L D L^T: [2, npiv] with the subdiagonal; else the diagonal [npiv]) for the host to count.
template <class T>
struct FrontResults {
    T* panel = nullptr;
    T* upper = nullptr;  // L U
    T* pivots = nullptr;
};

template <class T>
struct LevelEntries {
    const index_t* row = nullptr;  // local in the front
    const index_t* column = nullptr;
    const T* value = nullptr;
};

/// Front f += its entries, then its children in their order: every sum is made in the same order in every
/// run. The squares are 0 before. Arrays in device memory; asynchronous on the stream.
template <class T>
void assemble_level(Stream stream, index_t count, index_t largest_order, const DenseFront<T>* fronts,
                    const FrontSources* sources, const LevelEntries<T>& entries, const ChildBlock<T>* children,
                    bool symmetric);

/// slow: with so few threads that other kernels go on beside it.
enum class Pace : bool { full, slow };

/// The same for squares that hold anything before, in one pass: children in their order, then entries. Symmetric
/// kinds: what is above the diagonal stays. Only columns that are in memory. parts: where they begin, in device memory.
template <class T>
void gather_level(Stream stream, index_t count, index_t largest_order, const DenseFront<T>* fronts,
                  const FrontSources* sources, const LevelEntries<T>& entries, const ChildBlock<T>* children,
                  bool symmetric, unsigned char* const* parts, Pace pace = Pace::full);

template <class T>
void store_level(Stream stream, index_t count, index_t largest_order, const DenseFront<T>* fronts,
                 const FrontResults<T>* results, Factorization kind);

}  // namespace frond::gpu
