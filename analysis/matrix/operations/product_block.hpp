// SPDX-License-Identifier: BSD-3-Clause
// The right-hand sides of a product and the rows of its result.
#pragma once

#include "column_kernels.hpp"

#include <algorithm>

namespace frond::detail {

template <class T>
struct ProductBlock {
    index_t nrhs;
    const T* x;
    count_t ldx;
    const T* b;  // null: Y = op(A) X, else Y = B - op(A) X
    count_t ldb;
    T* y;
    count_t ldy;
    real_t<T>* w;  // null: no weights
    count_t ldw;
};

/// Rows that one task packs, or adds up.
inline constexpr count_t rows_per_block = count_t{1} << 14;

inline count_t row_blocks(index_t rows) { return (rows + rows_per_block - 1) / rows_per_block; }

inline index_t block_begin(count_t block, index_t rows) {
    return static_cast<index_t>(std::min<count_t>(rows, block * rows_per_block));
}

/// Y = B or 0 and W = |B| or 0 in rows [first, last).
template <class T>
void start_rows(const ProductBlock<T>& block, index_t first, index_t last) {
    for (index_t k = 0; k < block.nrhs; ++k) {
        T* const y = block.y + k * block.ldy;
        real_t<T>* const w = block.w ? block.w + k * block.ldw : nullptr;
        const T* const b = block.b ? block.b + k * block.ldb : nullptr;
        for (index_t i = first; w && i < last; ++i) w[i] = b ? modulus(b[i]) : real_t<T>(0);
        if (b == nullptr)
            std::fill(y + first, y + last, T(0));
        else if (b != y)
            std::copy(b + first, b + last, y + first);
    }
}

/// Y -= window (Y += window without B) and W += weights, in the rows common to both.
template <int width, class T>
void add_window(const ProductBlock<T>& block, const ProductWindow<T>& window, index_t first, index_t last,
                bool conjugated) {
    using R = real_t<T>;
    const index_t begin = std::max(first, window.first_row);
    const index_t end = std::min(last, window.last_row);
    const R sign = block.b ? R(-1) : R(1);
    for (index_t k = 0; k < block.nrhs; ++k) {
        T* const y = block.y + k * block.ldy;
        for (index_t i = begin; i < end; ++i) {
            const T sum = window.y[(count_t{i} - window.first_row) * width + k];
            y[i] += sign * (conjugated ? conjugate(sum) : sum);
        }
        R* const w = block.w ? block.w + k * block.ldw : nullptr;
        for (index_t i = begin; w && i < end; ++i) w[i] += window.weight[(count_t{i} - window.first_row) * width + k];
    }
}

}  // namespace frond::detail
