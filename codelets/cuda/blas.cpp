// SPDX-License-Identifier: BSD-3-Clause
// codelets/gpu/blas.hpp with cuBLAS.
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
    static auto syrkx() { return blas_library().ssyrkx; }
};
template <>
struct Calls<double> {
    using Scalar = double;
    static auto gemm() { return blas_library().dgemm; }
    static auto trsm() { return blas_library().dtrsm; }
    static auto syrkx() { return blas_library().dsyrkx; }
};
template <>
struct Calls<std::complex<float>> {
    using Scalar = cuComplex;
    static auto gemm() { return blas_library().cgemm; }
    static auto trsm() { return blas_library().ctrsm; }
    static auto syrkx() { return blas_library().csyrkx; }
    static auto herkx() { return blas_library().cherkx; }
};
template <>
struct Calls<std::complex<double>> {
    using Scalar = cuDoubleComplex;
    static auto gemm() { return blas_library().zgemm; }
    static auto trsm() { return blas_library().ztrsm; }
    static auto syrkx() { return blas_library().zsyrkx; }
    static auto herkx() { return blas_library().zherkx; }
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

template <class T>
void solve(BlasHandle blas, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t operation, bool unit,
           DenseView<const T> triangle, DenseView<T> b) {
    const T one(1);
    check_blas(Calls<T>::trsm()(blas, side, fill, operation, unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, b.rows,
                                b.cols, pointer(one), pointer(triangle), triangle.ld, pointer(b), b.ld),
               "trsm");
}

}  // namespace

template <class T>
void subtract_product(BlasHandle blas, DenseView<const T> a, Form form_b, DenseView<const T> b, DenseView<T> c) {
    const T minus_one(-1), one(1);
    const cublasOperation_t operation = form_b == Form::plain        ? CUBLAS_OP_N
                                        : form_b == Form::transposed ? CUBLAS_OP_T
                                                                     : CUBLAS_OP_C;
    check_blas(Calls<T>::gemm()(blas, CUBLAS_OP_N, operation, c.rows, c.cols, a.cols, pointer(minus_one), pointer(a),
                                a.ld, pointer(b), b.ld, pointer(one), pointer(c), c.ld),
               "gemm");
}

template <class T>
void subtract_product_lower(BlasHandle blas, bool adjoint, DenseView<const T> a, DenseView<const T> b,
                            DenseView<T> c) {
    const T minus_one(-1), one(1);
    if constexpr (is_complex<T>) {
        if (adjoint) {
            const real_t<T> real_one(1);
            return check_blas(Calls<T>::herkx()(blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, c.cols, a.cols,
                                                pointer(minus_one), pointer(a), a.ld, pointer(b), b.ld, &real_one,
                                                pointer(c), c.ld),
                              "herkx");
        }
    }
    check_blas(Calls<T>::syrkx()(blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, c.cols, a.cols, pointer(minus_one),
                                 pointer(a), a.ld, pointer(b), b.ld, pointer(one), pointer(c), c.ld),
               "syrkx");
}

template <class T>
void solve_right_lower(BlasHandle blas, bool unit, bool adjoint, DenseView<const T> l, DenseView<T> b) {
    solve(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, adjoint ? CUBLAS_OP_C : CUBLAS_OP_T, unit, l, b);
}

template <class T>
void solve_right_upper(BlasHandle blas, DenseView<const T> u, DenseView<T> b) {
    solve(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, false, u, b);
}

template <class T>
void solve_left_unit_lower(BlasHandle blas, DenseView<const T> l, DenseView<T> b) {
    solve(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, true, l, b);
}

#define FROND_INSTANTIATE(T)                                                                                   \
    template void subtract_product<T>(BlasHandle, DenseView<const T>, Form, DenseView<const T>, DenseView<T>); \
    template void subtract_product_lower<T>(BlasHandle, bool, DenseView<const T>, DenseView<const T>,          \
                                            DenseView<T>);                                                     \
    template void solve_right_lower<T>(BlasHandle, bool, bool, DenseView<const T>, DenseView<T>);              \
    template void solve_right_upper<T>(BlasHandle, DenseView<const T>, DenseView<T>);                          \
    template void solve_left_unit_lower<T>(BlasHandle, DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
