// SPDX-License-Identifier: BSD-3-Clause
// Y = op(A) X and its relatives: every chunk of columns fills its own window of rows, then the
// windows are added up in the order of the chunks. Conjugated operations use conj(A) x = conj(A
// conj(x)).
#pragma once

#include "column_kernels.hpp"
#include "frond/matrix/operations.hpp"

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

/// One product; width right-hand sides at a time.
template <class T>
class Product {
    using R = real_t<T>;

public:
    Product(const SparseMatrix<T>& a, Operation op, const ProductOptions& options)
        : a_(a),
          options_(options),
          own_plan_(options.plan ? ProductPlan{} : plan_products(a.pattern)),
          plan_(options.plan ? *options.plan : own_plan_) {
        const bool transposes = op != Operation::none;
        switch (a.symmetry) {
            case Symmetry::symmetric:
                kind_ = ProductKind::symmetric;
                conjugated_ = op == Operation::adjoint;
                break;
            case Symmetry::hermitian:
                kind_ = ProductKind::hermitian;
                conjugated_ = op == Operation::transpose;
                break;
            default:
                kind_ = transposes ? ProductKind::gather : ProductKind::scatter;
                conjugated_ = op == Operation::adjoint;
        }
        if (!is_complex<T>) conjugated_ = false;
        input_rows_ = kind_ == ProductKind::gather ? a.rows() : a.cols();
        output_rows_ = kind_ == ProductKind::gather ? a.cols() : a.rows();
    }

    void run(const ProductBlock<T>& block) {
        constexpr index_t wide = 4;
        for (index_t k = 0; k < block.nrhs; k += wide) {
            ProductBlock<T> part = block;
            part.nrhs = std::min(wide, block.nrhs - k);
            part.x += k * block.ldx;
            part.y += k * block.ldy;
            if (part.b) part.b += k * block.ldb;
            if (part.w) part.w += k * block.ldw;
            if (part.nrhs == 1)
                run_width<1>(part);
            else
                run_width<wide>(part);
        }
    }

private:
    template <int width>
    void run_width(const ProductBlock<T>& block) {
        const count_t row_blocks = (std::max<count_t>(input_rows_, output_rows_) + rows_per_block - 1) / rows_per_block;
        pack<width>(block, row_blocks);
        windows_ = windows();
        if (options_.parallel_for && plan_.chunks() > 1)
            run_parallel<width>(block, row_blocks);
        else
            run_sequential<width>(block);
    }

    /// One window after the other in the same memory, which stays in the cache.
    template <int width>
    void run_sequential(const ProductBlock<T>& block) {
        WindowMemory memory;
        start_rows(block, 0, output_rows_);
        for (count_t c = 0; c < plan_.chunks(); ++c) {
            fill_window<width>(c, memory, block.w != nullptr);
            add_window<width>(block, windows_[c], 0, output_rows_);
        }
    }

    template <int width>
    void run_parallel(const ProductBlock<T>& block, count_t row_blocks) {
        std::vector<WindowMemory> memory(windows_.size());
        options_.parallel_for(plan_.chunks(), [&](count_t c) { fill_window<width>(c, memory[c], block.w != nullptr); });
        options_.parallel_for(row_blocks, [&](count_t r) {
            const index_t first = block_begin(r, output_rows_);
            const index_t last = block_begin(r + 1, output_rows_);
            start_rows(block, first, last);
            for (const ProductWindow<T>& window : windows_) add_window<width>(block, window, first, last);
        });
    }

    static index_t block_begin(count_t block, index_t rows) {
        return static_cast<index_t>(std::min<count_t>(rows, block * rows_per_block));
    }

    /// X row by row (and conjugated); for one right-hand side as it is where possible.
    template <int width>
    void pack(const ProductBlock<T>& block, count_t row_blocks) {
        x_ = block.x;
        const std::size_t size = static_cast<std::size_t>(input_rows_) * width;
        const bool copies = width > 1 || conjugated_;
        if (copies && !packed_) packed_ = std::make_unique_for_overwrite<T[]>(size);
        if (block.w && !magnitude_) magnitude_ = std::make_unique_for_overwrite<R[]>(size);
        if (!copies && !block.w) return;
        for_each(row_blocks, [&](count_t r) {
            const count_t first = block_begin(r, input_rows_);
            const count_t last = block_begin(r + 1, input_rows_);
            if (copies) pack_rows<width>(block, first, last);
            const T* const x = copies ? packed_.get() : block.x;
            if (block.w)
                for (count_t i = first * width; i < last * width; ++i) magnitude_[i] = modulus(x[i]);
        });
        if (copies) x_ = packed_.get();
    }

    template <int width>
    void pack_rows(const ProductBlock<T>& block, count_t first, count_t last) {
        for (index_t k = 0; k < width; ++k)
            for (count_t i = first; i < last; ++i) {
                const T value = k < block.nrhs ? block.x[k * block.ldx + i] : T(0);
                packed_[i * width + k] = conjugated_ ? conjugate(value) : value;
            }
    }

    /// The rows each chunk adds to.
    std::vector<ProductWindow<T>> windows() const {
        std::vector<ProductWindow<T>> list(static_cast<std::size_t>(plan_.chunks()));
        for (std::size_t c = 0; c < list.size(); ++c) {
            const index_t begin = plan_.column_cut[c];
            const index_t end = plan_.column_cut[c + 1];
            const bool own = kind_ != ProductKind::scatter;
            const bool rows = kind_ != ProductKind::gather && plan_.row_first[c] < plan_.row_last[c];
            list[c].first_row = own ? begin : plan_.row_first[c];
            list[c].last_row = own ? end : plan_.row_last[c];
            if (!own || !rows) continue;
            list[c].first_row = std::min(begin, plan_.row_first[c]);
            list[c].last_row = std::max(end, plan_.row_last[c]);
        }
        return list;
    }

    struct WindowMemory {
        std::vector<T> y;
        std::vector<R> weight;
    };

    template <int width>
    void fill_window(count_t c, WindowMemory& memory, bool weighted) {
        ProductWindow<T>& window = windows_[c];
        const std::size_t size = static_cast<std::size_t>(window.last_row - window.first_row) * width;
        memory.y.assign(size, T(0));
        window.y = memory.y.data();
        if (!weighted) return dispatch<width, false>(c, window);
        memory.weight.assign(size, R(0));
        window.weight = memory.weight.data();
        dispatch<width, true>(c, window);
    }

    template <int width, bool weighted>
    void dispatch(count_t c, const ProductWindow<T>& window) const {
        const ProductInput<T> in{a_, x_, magnitude_.get()};
        const index_t begin = plan_.column_cut[c];
        const index_t end = plan_.column_cut[c + 1];
        switch (kind_) {
            case ProductKind::scatter:
                return multiply_columns<ProductKind::scatter, width, weighted>(in, begin, end, window);
            case ProductKind::gather:
                return multiply_columns<ProductKind::gather, width, weighted>(in, begin, end, window);
            case ProductKind::symmetric:
                return multiply_columns<ProductKind::symmetric, width, weighted>(in, begin, end, window);
            case ProductKind::hermitian:
                return multiply_columns<ProductKind::hermitian, width, weighted>(in, begin, end, window);
        }
    }

    /// Y = B or 0 and W = |B| or 0 in rows [first, last).
    void start_rows(const ProductBlock<T>& block, index_t first, index_t last) const {
        for (index_t k = 0; k < block.nrhs; ++k) {
            T* const y = block.y + k * block.ldy;
            R* const w = block.w ? block.w + k * block.ldw : nullptr;
            const T* const b = block.b ? block.b + k * block.ldb : nullptr;
            for (index_t i = first; w && i < last; ++i) w[i] = b ? modulus(b[i]) : R(0);
            if (b == nullptr)
                std::fill(y + first, y + last, T(0));
            else if (b != y)
                std::copy(b + first, b + last, y + first);
        }
    }

    /// Y -= window (Y += window without B) and W += weights, in the rows common to both.
    template <int width>
    void add_window(const ProductBlock<T>& block, const ProductWindow<T>& window, index_t first, index_t last) const {
        const index_t begin = std::max(first, window.first_row);
        const index_t end = std::min(last, window.last_row);
        const R sign = block.b ? R(-1) : R(1);
        for (index_t k = 0; k < block.nrhs; ++k) {
            T* const y = block.y + k * block.ldy;
            for (index_t i = begin; i < end; ++i) {
                const T sum = window.y[(count_t{i} - window.first_row) * width + k];
                y[i] += sign * (conjugated_ ? conjugate(sum) : sum);
            }
            R* const w = block.w ? block.w + k * block.ldw : nullptr;
            for (index_t i = begin; w && i < end; ++i)
                w[i] += window.weight[(count_t{i} - window.first_row) * width + k];
        }
    }

    template <class Body>
    void for_each(count_t chunks, Body&& body) const {
        if (options_.parallel_for && chunks > 1)
            options_.parallel_for(chunks, body);
        else
            for (count_t c = 0; c < chunks; ++c) body(c);
    }

    static constexpr count_t rows_per_block = count_t{1} << 14;

    const SparseMatrix<T>& a_;
    const ProductOptions& options_;
    ProductPlan own_plan_;
    const ProductPlan& plan_;
    ProductKind kind_ = ProductKind::scatter;
    bool conjugated_ = false;
    index_t input_rows_ = 0;
    index_t output_rows_ = 0;
    const T* x_ = nullptr;
    std::unique_ptr<T[]> packed_;  // made for the widest block, which comes first
    std::unique_ptr<R[]> magnitude_;
    std::vector<ProductWindow<T>> windows_;
};

}  // namespace frond::detail
