// SPDX-License-Identifier: BSD-3-Clause
// Triangular solves with a tile as products: block substitution with inverted diagonal blocks. B is
// replaced; `x`, of its shape, is scratch.
#pragma once

#include <algorithm>

#include "blas.hpp"
#include "kernels/level_batch/panel.hpp"
#include "kernels/substitution/invert_blocks.hpp"

namespace frond::gpu {

/// visit(first, size, inverse) for each diagonal block.
template <class T, class Visit>
void for_each_block(DenseView<const T> inverses, Visit visit) {
    for (index_t k = 0; k < inverses.cols; k += inverse_block) {
        const index_t size = std::min(inverse_block, inverses.cols - k);
        visit(k, size, inverses.block(0, k, size, size));
    }
}

/// B := B L^-T (adjoint: L^-H), L the lower triangle of l.
template <class T>
void solve_right_lower_by_inverses(Stream stream, BlasHandle blas, bool adjoint, DenseView<const T> l,
                                   DenseView<const T> inverses, DenseView<T> b, DenseView<T> x) {
    const Form form = adjoint ? Form::adjoint : Form::transposed;
    for_each_block(inverses, [&](index_t k, index_t size, DenseView<const T> inverse) {
        const auto part = b.block(0, k, b.rows, size);
        if (k > 0) subtract_product<T>(blas, x.block(0, 0, b.rows, k), form, l.block(k, 0, size, k), part);
        product<T>(blas, part, form, inverse, x.block(0, k, b.rows, size));
    });
    copy_block<T>(stream, x, b);
}

/// B := B U^-1, U the upper triangle of u.
template <class T>
void solve_right_upper_by_inverses(Stream stream, BlasHandle blas, DenseView<const T> u, DenseView<const T> inverses,
                                   DenseView<T> b, DenseView<T> x) {
    for_each_block(inverses, [&](index_t k, index_t size, DenseView<const T> inverse) {
        const auto part = b.block(0, k, b.rows, size);
        if (k > 0) subtract_product<T>(blas, x.block(0, 0, b.rows, k), Form::plain, u.block(0, k, k, size), part);
        product<T>(blas, part, Form::plain, inverse, x.block(0, k, b.rows, size));
    });
    copy_block<T>(stream, x, b);
}

/// B := L^-1 B, from x, which holds B on entry: B is written block by block.
template <class T>
void solve_left_lower_by_inverses(BlasHandle blas, DenseView<const T> l, DenseView<const T> inverses, DenseView<T> x,
                                  DenseView<T> b) {
    for_each_block(inverses, [&](index_t k, index_t size, DenseView<const T> inverse) {
        const auto part = x.block(k, 0, size, b.cols);
        if (k > 0) subtract_product<T>(blas, l.block(k, 0, size, k), Form::plain, b.block(0, 0, k, b.cols), part);
        product<T>(blas, inverse, Form::plain, part, b.block(k, 0, size, b.cols));
    });
}

}  // namespace frond::gpu
