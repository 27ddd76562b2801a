// SPDX-License-Identifier: BSD-3-Clause
// The right-hand sides of a product and the rows of its result.
#pragma once

#include "column_kernels.hpp"
#include "frond/base/parallel_for.hpp"

#include <algorithm>
#include <memory>

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

/// The right-hand sides X of a product as its kernels read them.
template <class T>
class PackedInput {
    using R = real_t<T>;

public:
    /// X row by row (and conjugated); for one right-hand side as it is where possible.
    template <int width>
    void pack(const ProductBlock<T>& block, index_t rows, bool conjugated, const ParallelFor& parallel_for) {
        x_ = block.x;
        const std::size_t size = static_cast<std::size_t>(rows) * width;
        const bool copies = width > 1 || conjugated;
        if (copies && !packed_) packed_ = std::make_unique_for_overwrite<T[]>(size);
        if (block.w && !magnitude_) magnitude_ = std::make_unique_for_overwrite<R[]>(size);
        if (!copies && !block.w) return;
        for_each(row_blocks(rows), parallel_for, [&](count_t r) {
            const count_t first = block_begin(r, rows);
            const count_t last = block_begin(r + 1, rows);
            if (copies) pack_rows<width>(block, first, last, conjugated);
            const T* const x = copies ? packed_.get() : block.x;
            if (block.w)
                for (count_t i = first * width; i < last * width; ++i) magnitude_[i] = modulus(x[i]);
        });
        if (copies) x_ = packed_.get();
    }

    const T* x() const { return x_; }
    const R* magnitude() const { return magnitude_.get(); }

private:
    template <int width>
    void pack_rows(const ProductBlock<T>& block, count_t first, count_t last, bool conjugated) {
        for (index_t k = 0; k < width; ++k)
            for (count_t i = first; i < last; ++i) {
                const T value = k < block.nrhs ? block.x[k * block.ldx + i] : T(0);
                packed_[i * width + k] = conjugated ? conjugate(value) : value;
            }
    }

    template <class Body>
    static void for_each(count_t chunks, const ParallelFor& parallel_for, Body&& body) {
        if (parallel_for && chunks > 1)
            parallel_for(chunks, body);
        else
            for (count_t c = 0; c < chunks; ++c) body(c);
    }

    const T* x_ = nullptr;
    std::unique_ptr<T[]> packed_;  // made for the widest block, which comes first
    std::unique_ptr<R[]> magnitude_;
};

}  // namespace frond::detail
