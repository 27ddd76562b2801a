// SPDX-License-Identifier: BSD-3-Clause
// Rows of L D, made for one block of columns at a time where a product L D L^T needs them, so that
// L D is written to no matrix.
#pragma once

#include "product_block.hpp"

#include <cstddef>

namespace frond::cpu::FROND_ISA {

/// L D of at most block_columns rows and `capacity` 1x1 pivots, contiguous: b(p, j) at p C + j.
template <class T, index_t capacity>
class ScaledRows {
public:
    /// Rows 0 .. C of l [C, k], pivots [2, k].
    template <int C>
    FROND_INLINE const T* take(index_t k, const T* l, index_t ldl, const T* pivots) {
        T* to = reinterpret_cast<T*>(storage_);
        for (index_t p = 0; p < k; ++p, l += ldl, to += C) {
            const T d = pivots[2 * p];
            if constexpr (C % lanes<T> == 0)
                for (int i = 0; i < C; i += lanes<T>) store<T>(to + i, scaled<T>(load<T>(l + i), d));
            else
                for (int i = 0; i < C; ++i) to[i] = multiply(l[i], d);
        }
        return reinterpret_cast<const T*>(storage_);
    }

private:
    alignas(64) std::byte storage_[sizeof(T) * block_columns<T> * capacity];
};

}  // namespace frond::cpu::FROND_ISA
