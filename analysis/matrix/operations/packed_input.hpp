// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/parallel_for.hpp"
#include "product_block.hpp"

#include <memory>

namespace frond::detail {

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
