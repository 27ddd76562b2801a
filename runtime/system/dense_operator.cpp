// SPDX-License-Identifier: BSD-3-Clause
#include "system/dense_operator.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

/// Order of the blocks: one stays in the second cache while it is used.
constexpr index_t block_order = 192;

/// Entry (i, j) of A, whichever triangle is stored.
template <class T>
T dense_entry(const DenseMatrixView<T>& a, count_t i, count_t j) {
    const bool one_triangle = a.symmetry != Symmetry::general;
    const bool stored = !one_triangle || (a.reads_upper() ? i <= j : i >= j);
    if (stored && !(i == j && a.symmetry == Symmetry::hermitian)) return a.column(j)[i];
    if (i == j) return T(real_part(a.column(j)[i]));
    const T mirrored = a.column(i)[j];
    return a.symmetry == Symmetry::hermitian ? conjugate(mirrored) : mirrored;
}

/// Whether a block of A that touches no diagonal lies where A is stored.
template <class T>
bool is_stored(const DenseMatrixView<T>& a, count_t i, count_t j) {
    return a.symmetry == Symmetry::general || (a.reads_upper() ? i < j : i > j);
}

/// block := op(A)(i .., j ..)
template <class T>
void load_block(const DenseMatrixView<T>& a, Operation op, count_t i, count_t j, DenseView<T> block) {
    const bool turned = op != Operation::none, conjugates = op == Operation::adjoint;
    const count_t row = turned ? j : i, column = turned ? i : j;  // of A
    const bool direct = (row != column || a.symmetry == Symmetry::general) && is_stored(a, row, column);
    if (direct && !turned) {
        for (index_t k = 0; k < block.cols; ++k) std::copy_n(a.column(j + k) + i, block.rows, block.column(k));
        return;
    }
    const index_t rows = turned ? block.cols : block.rows, columns = turned ? block.rows : block.cols;
    for (index_t c = 0; c < columns; ++c)
        for (index_t r = 0; r < rows; ++r) {
            const T value = direct ? a.column(column + c)[row + r] : dense_entry(a, row + r, column + c);
            (turned ? block(c, r) : block(r, c)) = conjugates ? conjugate(value) : value;
        }
}

/// y := |x| or -|x|, in T: so that one product serves all scalars.
template <class T>
void set_sizes(DenseView<const T> x, bool negative, DenseView<T> y) {
    for (index_t j = 0; j < x.cols; ++j)
        for (index_t i = 0; i < x.rows; ++i) y(i, j) = T(negative ? -std::abs(x(i, j)) : std::abs(x(i, j)));
}

template <class T>
struct Room {
    std::vector<T> memory;
    DenseView<T> of(index_t rows, index_t cols) {
        memory.resize(at(rows) * at(cols));
        return {memory.data(), rows, cols, std::max(rows, 1)};
    }
};

/// visit(first row, block of op(A) as it is loaded, first column) for all blocks of one row of blocks.
template <class T, class Visit>
void for_blocks_of_row(const DenseMatrixView<T>& a, Operation op, count_t chunk, const Visit& visit) {
    const auto n = static_cast<index_t>(a.order);
    const auto i = static_cast<index_t>(chunk * block_order);
    Room<T> room;
    for (index_t j = 0; j < n; j += block_order) {
        const DenseView<T> block = room.of(std::min(block_order, n - i), std::min(block_order, n - j));
        load_block(a, op, i, j, block);
        visit(i, block, j);
    }
}

template <class T, class Body>
void for_rows_of_blocks(const DenseMatrixView<T>& a, const ParallelFor& parallel_for, const Body& body) {
    const count_t chunks = (a.order + block_order - 1) / block_order;
    if (parallel_for && chunks > 1) return parallel_for(chunks, body);
    for (count_t c = 0; c < chunks; ++c) body(c);
}

}  // namespace

template <class T>
void DenseOperator<T>::multiply(DenseView<const T> x, DenseView<T> y) const {
    for_rows_of_blocks(a_, this->parallel_for(), [&](count_t chunk) {
        const auto first = static_cast<index_t>(chunk * block_order);
        const DenseView<T> yi = y.block(first, 0, std::min(block_order, order() - first), y.cols);
        for (index_t k = 0; k < yi.cols; ++k) std::fill_n(yi.column(k), yi.rows, T(0));
        for_blocks_of_row(a_, op_, chunk, [&](index_t, DenseView<T> block, index_t j) {
            cpu::subtract_product<T>(block, Operation::none, x.block(j, 0, block.cols, x.cols), yi);
        });
        for (index_t k = 0; k < yi.cols; ++k)
            std::transform(yi.column(k), yi.column(k) + yi.rows, yi.column(k), [](T v) { return -v; });
    });
}

template <class T>
void DenseOperator<T>::residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const {
    for_rows_of_blocks(a_, this->parallel_for(), [&](count_t chunk) {
        const auto first = static_cast<index_t>(chunk * block_order);
        const index_t rows = std::min(block_order, order() - first);
        Room<T> weights, x_sizes;
        const DenseView<T> ri = r.block(first, 0, rows, r.cols), wi = weights.of(rows, r.cols);
        const DenseView<const T> bi = b.block(first, 0, rows, b.cols);
        set_sizes(bi, false, wi);
        if (ri.data != bi.data)
            for (index_t k = 0; k < ri.cols; ++k) std::copy_n(bi.column(k), rows, ri.column(k));
        for_blocks_of_row(a_, op_, chunk, [&](index_t, DenseView<T> block, index_t j) {
            const DenseView<const T> xj = x.block(j, 0, block.cols, x.cols);
            const DenseView<T> sizes = x_sizes.of(block.cols, x.cols);
            cpu::subtract_product<T>(block, Operation::none, xj, ri);
            set_sizes<T>(block.as_const(), true, block);
            set_sizes(xj, false, sizes);
            cpu::subtract_product<T>(block, Operation::none, sizes, wi);
        });
        for (index_t k = 0; k < wi.cols; ++k)
            for (index_t i = 0; i < rows; ++i) w[first + i + static_cast<count_t>(k) * order()] = real_part(wi(i, k));
    });
}

template <class T>
std::vector<RowSum> DenseOperator<T>::row_sums(const std::vector<double>* s) const {
    std::vector<RowSum> sums(at(order()));
    for_rows_of_blocks(a_, {}, [&](count_t chunk) {
        for_blocks_of_row(a_, op_, chunk, [&](index_t i, DenseView<T> block, index_t j) {
            for (index_t c = 0; c < block.cols; ++c)
                for (index_t r = 0; r < block.rows; ++r) {
                    const double size = magnitude(block(r, c));
                    sums[at(i) + at(r)].plain += size;
                    if (s != nullptr) sums[at(i) + at(r)].scaled += size * (*s)[at(j) + at(c)];
                }
        });
    });
    return sums;
}

template <class T>
bool DenseOperator<T>::visit_entries(const std::function<void(index_t, index_t, T)>& visit) const {
    for_rows_of_blocks(a_, {}, [&](count_t chunk) {
        for_blocks_of_row(a_, op_, chunk, [&](index_t i, DenseView<T> block, index_t j) {
            for (index_t c = 0; c < block.cols; ++c)
                for (index_t r = 0; r < block.rows; ++r) visit(i + r, j + c, block(r, c));
        });
    });
    return true;
}

#define FROND_INSTANTIATE(T) template class DenseOperator<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
