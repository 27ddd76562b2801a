// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/pivot_report.hpp"

namespace frond {

/// Byte layout of the pivot record of one diagonal tile of n columns, itself StarPU data:
/// perm [n] index_t, then, from the next multiple of 64 bytes, pivots [2, n] and replaced [n] scalars
/// (threshold pivoting, see cpu/threshold.hpp).
template <class T>
struct PivotRecord {
    index_t* perm = nullptr;
    T* pivots = nullptr;
    T* replaced = nullptr;

    static count_t pivots_offset_bytes(index_t n) {
        return (static_cast<count_t>(n) * static_cast<count_t>(sizeof(index_t)) + 63) / 64 * 64;
    }
    static count_t bytes(index_t n) {
        return pivots_offset_bytes(n) + 3 * static_cast<count_t>(n) * static_cast<count_t>(sizeof(T));
    }
    static PivotRecord at(unsigned char* memory, index_t n) {
        T* const pivots = reinterpret_cast<T*>(memory + pivots_offset_bytes(n));
        return {reinterpret_cast<index_t*>(memory), pivots, pivots + 2 * static_cast<count_t>(n)};
    }
};

}  // namespace frond
