// SPDX-License-Identifier: BSD-3-Clause
// The BLAS calls of the tile tasks on the device, for the four scalars; asynchronous on the worker's
// stream. Column-major blocks in device memory.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "worker/worker_context.hpp"

namespace frond::gpu {

enum class Form : std::uint8_t { plain, transposed, adjoint };

inline Form form_of(Operation operation) noexcept {
    return operation == Operation::none        ? Form::plain
           : operation == Operation::transpose ? Form::transposed
                                               : Form::adjoint;
}

/// C := C - A op(B)                                  C [m, n], A [m, k], op(B) [k, n]; 2 m n k flops
template <class T>
void subtract_product(BlasHandle blas, DenseView<const T> a, Form form_b, DenseView<const T> b, DenseView<T> c);

/// C := A op(B)
template <class T>
void product(BlasHandle blas, DenseView<const T> a, Form form_b, DenseView<const T> b, DenseView<T> c);

/// C := C - op(A) B                                  C [m, n], op(A) [m, k], B [k, n]
template <class T>
void subtract_product_of(BlasHandle blas, Form form_a, DenseView<const T> a, DenseView<const T> b, DenseView<T> c);

/// C := -op(A) B
template <class T>
void negated_product_of(BlasHandle blas, Form form_a, DenseView<const T> a, DenseView<const T> b, DenseView<T> c);

/// Lower triangle of C := C - A B^T (adjoint: B^H); the strict upper triangle of C is left undefined.
///                                                   C [n, n], A and B [n, k]; n^2 k flops and some
template <class T>
void subtract_product_lower(BlasHandle blas, bool adjoint, DenseView<const T> a, DenseView<const T> b, DenseView<T> c);

/// B := B op(L)^-1, L the lower triangle of l [n, n]; B [m, n]; m n^2 flops
template <class T>
void solve_right_lower(BlasHandle blas, bool unit, bool adjoint, DenseView<const T> l, DenseView<T> b);

/// B := B U^-1, U the upper triangle of u [n, n]; B [m, n]
template <class T>
void solve_right_upper(BlasHandle blas, DenseView<const T> u, DenseView<T> b);

/// B := L^-1 B, L the unit lower triangle of l [n, n]; B [n, m]
template <class T>
void solve_left_unit_lower(BlasHandle blas, DenseView<const T> l, DenseView<T> b);

/// A triangle of a tile, and what of it is used.
struct TriangleUse {
    bool upper = false, unit = false;
    Form form = Form::plain;
};
/// B := op(T)^-1 B, T that triangle of t [n, n]; B [n, m]; one column as a vector
template <class T>
void solve_left(BlasHandle blas, TriangleUse use, DenseView<const T> t, DenseView<T> b);

}  // namespace frond::gpu
