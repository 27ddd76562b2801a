// SPDX-License-Identifier: BSD-3-Clause
// Entry points as of a vendor's BLAS, of the host's library.
#pragma once

#include <complex>

#define FROND_BLAS_ENTRY_POINTS(X)                       \
    X(create, emulated_blas::create)                     \
    X(destroy, emulated_blas::destroy)                   \
    X(set_stream, emulated_blas::set_stream)             \
    X(set_atomics_mode, emulated_blas::set_atomics_mode) \
    X(status_text, emulated_blas::status_text)           \
    X(sgemm, emulated_blas::gemm<float>)                 \
    X(dgemm, emulated_blas::gemm<double>)                \
    X(cgemm, emulated_blas::gemm<std::complex<float>>)   \
    X(zgemm, emulated_blas::gemm<std::complex<double>>)  \
    X(strsm, emulated_blas::trsm<float>)                 \
    X(dtrsm, emulated_blas::trsm<double>)                \
    X(ctrsm, emulated_blas::trsm<std::complex<float>>)   \
    X(ztrsm, emulated_blas::trsm<std::complex<double>>)  \
    X(strsv, emulated_blas::trsv<float>)                 \
    X(dtrsv, emulated_blas::trsv<double>)                \
    X(ctrsv, emulated_blas::trsv<std::complex<float>>)   \
    X(ztrsv, emulated_blas::trsv<std::complex<double>>)

namespace frond::gpu::emulated_blas {

struct Context {};
int create(Context** handle);
int destroy(Context* handle);
int set_stream(Context* handle, void* stream);
int set_atomics_mode(Context* handle, int mode);
const char* status_text(int status);
/// As of BLAS, column-major; operations and sides by their letters.
template <class T>
int gemm(Context*, char op_a, char op_b, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,
         const T* beta, T* c, int ldc);
template <class T>
int trsm(Context*, char side, char fill, char op, char diagonal, int m, int n, const T* alpha, const T* a, int lda,
         T* b, int ldb);
template <class T>
int trsv(Context*, char fill, char op, char diagonal, int n, const T* a, int lda, T* x, int step);

}  // namespace frond::gpu::emulated_blas

namespace frond::gpu {

struct BlasNames {
    using Handle = emulated_blas::Context*;
    using Status = int;
    using ComplexFloat = std::complex<float>;
    using ComplexDouble = std::complex<double>;
    static constexpr const char* library = "the emulated BLAS";
    static constexpr int success = 0, no_atomics = 0;
    static constexpr char left = 'L', right = 'R', lower = 'L', upper = 'U', plain = 'N', transposed = 'T',
                          adjoint = 'C', unit = 'U', non_unit = 'N';
};

}  // namespace frond::gpu
