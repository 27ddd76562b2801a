// SPDX-License-Identifier: BSD-3-Clause
// Y = op(A) X and its relatives: every chunk of columns fills its own window of rows, then the
// windows are added up in the order of the chunks. Conjugated operations use conj(A) x = conj(A
// conj(x)).
#include "column_kernels.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "product_block.hpp"

#include <algorithm>
#include <vector>

namespace frond::detail {

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
        input_.template pack<width>(block, input_rows_, conjugated_, options_.parallel_for);
        windows_ = windows();
        if (options_.parallel_for && plan_.chunks() > 1)
            run_parallel<width>(block);
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
            add_window<width>(block, windows_[c], 0, output_rows_, conjugated_);
        }
    }

    template <int width>
    void run_parallel(const ProductBlock<T>& block) {
        std::vector<WindowMemory> memory(windows_.size());
        options_.parallel_for(plan_.chunks(), [&](count_t c) { fill_window<width>(c, memory[c], block.w != nullptr); });
        options_.parallel_for(row_blocks(output_rows_), [&](count_t r) {
            const index_t first = block_begin(r, output_rows_);
            const index_t last = block_begin(r + 1, output_rows_);
            start_rows(block, first, last);
            for (const ProductWindow<T>& window : windows_) add_window<width>(block, window, first, last, conjugated_);
        });
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
        const ProductInput<T> in{a_, input_.x(), input_.magnitude()};
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

    const SparseMatrix<T>& a_;
    const ProductOptions& options_;
    ProductPlan own_plan_;
    const ProductPlan& plan_;
    ProductKind kind_ = ProductKind::scatter;
    bool conjugated_ = false;
    index_t input_rows_ = 0;
    index_t output_rows_ = 0;
    PackedInput<T> input_;
    std::vector<ProductWindow<T>> windows_;
};

}  // namespace frond::detail

namespace frond {
namespace {

using namespace detail;

template <class T>
void check_block(const SparseMatrix<T>& a, Operation op, const ProductBlock<T>& block) {
    const index_t in = op == Operation::none ? a.cols() : a.rows();
    const index_t out = op == Operation::none ? a.rows() : a.cols();
    FROND_EXPECTS(block.nrhs >= 0, "nrhs is " + std::to_string(block.nrhs));
    if (block.nrhs <= 1) return;
    FROND_EXPECTS(block.ldx >= in, "ldx is " + std::to_string(block.ldx));
    FROND_EXPECTS(block.ldy >= out, "leading dimension of the result is " + std::to_string(block.ldy));
    FROND_EXPECTS(block.b == nullptr || block.ldb >= out, "ldb is " + std::to_string(block.ldb));
    FROND_EXPECTS(block.w == nullptr || block.ldw >= out, "ldw is " + std::to_string(block.ldw));
}

template <class T>
void run(const SparseMatrix<T>& a, Operation op, const ProductBlock<T>& block, const ProductOptions& options) {
    check_block(a, op, block);
    Product<T>(a, op, options).run(block);
}

}  // namespace

template <class T>
void multiply(const SparseMatrix<T>& a, Operation op, index_t nrhs, const T* x, count_t ldx, T* y, count_t ldy,
              const ProductOptions& options) {
    run<T>(a, op, {nrhs, x, ldx, nullptr, 0, y, ldy, nullptr, 0}, options);
}

template <class T>
void residual(const SparseMatrix<T>& a, Operation op, index_t nrhs, const T* x, count_t ldx, const T* b, count_t ldb,
              T* r, count_t ldr, const ProductOptions& options) {
    run<T>(a, op, {nrhs, x, ldx, b, ldb, r, ldr, nullptr, 0}, options);
}

template <class T>
void residual_and_weights(const SparseMatrix<T>& a, Operation op, index_t nrhs, const T* x, count_t ldx, const T* b,
                          count_t ldb, T* r, count_t ldr, real_t<T>* w, count_t ldw, const ProductOptions& options) {
    run<T>(a, op, {nrhs, x, ldx, b, ldb, r, ldr, w, ldw}, options);
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template void multiply<T>(const SparseMatrix<T>&, Operation, index_t, const T*, count_t, T*, count_t,           \
                              const ProductOptions&);                                                               \
    template void residual<T>(const SparseMatrix<T>&, Operation, index_t, const T*, count_t, const T*, count_t, T*, \
                              count_t, const ProductOptions&);                                                      \
    template void residual_and_weights<T>(const SparseMatrix<T>&, Operation, index_t, const T*, count_t, const T*,  \
                                          count_t, T*, count_t, real_t<T>*, count_t, const ProductOptions&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
