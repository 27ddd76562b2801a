// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/dense/eliminate.hpp"

namespace frond::gpu {

/// The contribution block of a child, or some columns of it, relative to the parts of relative_address.hpp or part of its
/// square.
template <class T>
struct ChildBlock {
    const T* data = nullptr;
    count_t ld = 0;
    // [order of the parent]: the block's row in each of its rows, and the column in each of its columns; -1: none
    const index_t* row_of = nullptr;
    const index_t* column_of = nullptr;
};

/// What is assembled into a front: entries of A and children, [first, last) of the arrays of the tree.
struct FrontSources {
    count_t first_entry = 0, last_entry = 0;
    index_t first_child = 0, last_child = 0;
};

template <class T>
struct LevelEntries {
    const index_t* row = nullptr;  // local in the front
    const index_t* column = nullptr;
    const T* value = nullptr;
};

/// slow: with so few threads that other kernels go on meanwhile.
enum class Pace : bool { full, slow };

/// The fronts of one level, all at once: front f := its children in their order, then += its entries. So every sum is
/// made in the same order in every run. Symmetric kinds: what is above the diagonal stays. Only columns that are in
/// memory. parts: where they begin. Arrays in device memory; asynchronous on the stream.
template <class T>
void gather_level(Stream stream, index_t count, index_t largest_order, const DenseFront<T>* fronts,
                  const FrontSources* sources, const LevelEntries<T>& entries, const ChildBlock<T>* children,
                  bool symmetric, unsigned char* const* parts, Pace pace = Pace::full);

}  // namespace frond::gpu
