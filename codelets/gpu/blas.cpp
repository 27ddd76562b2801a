// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"

#include <complex>

#include "blas_library.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::gpu {
namespace {

/// The entry points for one scalar, and its type there.
template <class T>
struct Calls;
template <>
struct Calls<float> {
    using Scalar = float;
    static auto gemm() { return blas_library().sgemm; }
    static auto trsm() { return blas_library().strsm; }
    static auto trsv() { return blas_library().strsv; }
};
template <>
struct Calls<double> {
    using Scalar = double;
    static auto gemm() { return blas_library().dgemm; }
    static auto trsm() { return blas_library().dtrsm; }
    static auto trsv() { return blas_library().dtrsv; }
};
template <>
struct Calls<std::complex<float>> {
    using Scalar = BlasNames::ComplexFloat;
    static auto gemm() { return blas_library().cgemm; }
    static auto trsm() { return blas_library().ctrsm; }
    static auto trsv() { return blas_library().ctrsv; }
};
template <>
struct Calls<std::complex<double>> {
    using Scalar = BlasNames::ComplexDouble;
    static auto gemm() { return blas_library().zgemm; }
    static auto trsm() { return blas_library().ztrsm; }
    static auto trsv() { return blas_library().ztrsv; }
};

template <class T>
using Scalar = typename Calls<T>::Scalar;

template <class T>
const Scalar<T>* pointer(DenseView<const T> v) {
    return reinterpret_cast<const Scalar<T>*>(v.data);
}
template <class T>
Scalar<T>* pointer(DenseView<T> v) {
    return reinterpret_cast<Scalar<T>*>(v.data);
}
template <class T>
const Scalar<T>* pointer(const T& x) {
    return reinterpret_cast<const Scalar<T>*>(&x);
}

template <class Side, class Fill, class Operation, class T>
void solve(BlasHandle blas, Side side, Fill fill, Operation operation, bool unit, DenseView<const T> triangle,
           DenseView<T> b) {
    const T one(1);
    check_blas(Calls<T>::trsm()(blas, side, fill, operation, unit ? BlasNames::unit : BlasNames::non_unit, b.rows,
                                b.cols, pointer(one), pointer(triangle), triangle.ld, pointer(b), b.ld),
               "trsm");
}

auto operation_of(Form form) {
    return form == Form::plain        ? BlasNames::plain
           : form == Form::transposed ? BlasNames::transposed
                                      : BlasNames::adjoint;
}

/// A block, and how a product uses it.
template <class T>
struct Factor {
    DenseView<const T> block;
    Form form = Form::plain;
};

/// C := alpha op(A) op(B) + beta C
template <class T>
void multiply(BlasHandle blas, T alpha, Factor<T> a, Factor<T> b, T beta, DenseView<T> c) {
    const index_t inner = a.form == Form::plain ? a.block.cols : a.block.rows;
    check_blas(Calls<T>::gemm()(blas, operation_of(a.form), operation_of(b.form), c.rows, c.cols, inner, pointer(alpha),
                                pointer(a.block), a.block.ld, pointer(b.block), b.block.ld, pointer(beta), pointer(c),
                                c.ld),
               "gemm");
}

}  // namespace

template <class T>
void subtract_product(BlasHandle blas, DenseView<const T> a, Form form_b, DenseView<const T> b, DenseView<T> c) {
    multiply<T>(blas, T(-1), {a}, {b, form_b}, T(1), c);
}

template <class T>
void product(BlasHandle blas, DenseView<const T> a, Form form_b, DenseView<const T> b, DenseView<T> c) {
    multiply<T>(blas, T(1), {a}, {b, form_b}, T(0), c);
}

template <class T>
void subtract_product_of(BlasHandle blas, Form form_a, DenseView<const T> a, DenseView<const T> b, DenseView<T> c) {
    multiply<T>(blas, T(-1), {a, form_a}, {b}, T(1), c);
}

template <class T>
void negated_product_of(BlasHandle blas, Form form_a, DenseView<const T> a, DenseView<const T> b, DenseView<T> c) {
    multiply<T>(blas, T(-1), {a, form_a}, {b}, T(0), c);
}

template <class T>
void subtract_product_lower(BlasHandle blas, bool adjoint, DenseView<const T> a, DenseView<const T> b, DenseView<T> c) {
    // Halves down to blocks that gemm takes whole: with three levels an eighth too much, at its rate.
    constexpr index_t smallest = 128;
    const Form form = adjoint ? Form::adjoint : Form::transposed;
    const index_t n = c.cols, k = a.cols;
    if (n <= smallest) return subtract_product(blas, a, form, b, c);
    const index_t first = (n / 2 + 31) / 32 * 32, rest = n - first;
    const auto below = a.block(first, 0, rest, k);
    subtract_product_lower(blas, adjoint, a.block(0, 0, first, k), b.block(0, 0, first, k),
                           c.block(0, 0, first, first));
    subtract_product(blas, below, form, b.block(0, 0, first, k), c.block(first, 0, rest, first));
    subtract_product_lower(blas, adjoint, below, b.block(first, 0, rest, k), c.block(first, first, rest, rest));
}

template <class T>
void solve_right_lower(BlasHandle blas, bool unit, bool adjoint, DenseView<const T> l, DenseView<T> b) {
    solve(blas, BlasNames::right, BlasNames::lower, adjoint ? BlasNames::adjoint : BlasNames::transposed, unit, l, b);
}

template <class T>
void solve_right_upper(BlasHandle blas, DenseView<const T> u, DenseView<T> b) {
    solve(blas, BlasNames::right, BlasNames::upper, BlasNames::plain, false, u, b);
}

template <class T>
void solve_left_unit_lower(BlasHandle blas, DenseView<const T> l, DenseView<T> b) {
    solve(blas, BlasNames::left, BlasNames::lower, BlasNames::plain, true, l, b);
}

template <class T>
void solve_left(BlasHandle blas, TriangleUse use, DenseView<const T> t, DenseView<T> b) {
    const auto fill = use.upper ? BlasNames::upper : BlasNames::lower;
    if (b.cols != 1) return solve(blas, BlasNames::left, fill, operation_of(use.form), use.unit, t, b);
    check_blas(Calls<T>::trsv()(blas, fill, operation_of(use.form), use.unit ? BlasNames::unit : BlasNames::non_unit,
                                b.rows, pointer(t), t.ld, pointer(b), 1),
               "trsv");
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template void subtract_product<T>(BlasHandle, DenseView<const T>, Form, DenseView<const T>, DenseView<T>);       \
    template void product<T>(BlasHandle, DenseView<const T>, Form, DenseView<const T>, DenseView<T>);                \
    template void subtract_product_of<T>(BlasHandle, Form, DenseView<const T>, DenseView<const T>, DenseView<T>);    \
    template void negated_product_of<T>(BlasHandle, Form, DenseView<const T>, DenseView<const T>, DenseView<T>);     \
    template void subtract_product_lower<T>(BlasHandle, bool, DenseView<const T>, DenseView<const T>, DenseView<T>); \
    template void solve_right_lower<T>(BlasHandle, bool, bool, DenseView<const T>, DenseView<T>);                    \
    template void solve_right_upper<T>(BlasHandle, DenseView<const T>, DenseView<T>);                                \
    template void solve_left_unit_lower<T>(BlasHandle, DenseView<const T>, DenseView<T>);                            \
    template void solve_left<T>(BlasHandle, TriangleUse, DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
