// SPDX-License-Identifier: BSD-3-Clause
// What a BLAS routine reads and writes, told to the sanitizers: they see nothing of a library that
// was not built with them. Without a sanitizer nothing of this is compiled.
#pragma once

#include "frond/base/sanitizers.hpp"
#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>

#if FROND_ADDRESS_SANITIZER
#define FROND_SANITIZER_READ __asan_loadN
#define FROND_SANITIZER_WRITE __asan_storeN
#elif FROND_THREAD_SANITIZER
#define FROND_SANITIZER_READ __tsan_read_range
#define FROND_SANITIZER_WRITE __tsan_write_range
#endif

#ifdef FROND_SANITIZER_READ
extern "C" {  // as GCC declares them itself
void FROND_SANITIZER_READ(void* begin, std::ptrdiff_t bytes);
void FROND_SANITIZER_WRITE(void* begin, std::ptrdiff_t bytes);
}
#endif

namespace frond::cpu::blas {

template <class T>
void note_read([[maybe_unused]] DenseView<const T> block) {
#ifdef FROND_SANITIZER_READ
    for (index_t j = 0; j < block.cols; ++j)
        FROND_SANITIZER_READ(const_cast<T*>(block.data) + j * std::ptrdiff_t{block.ld},
                             block.rows * std::ptrdiff_t{sizeof(T)});
#endif
}

template <class T>
void note_write([[maybe_unused]] DenseView<T> block) {
#ifdef FROND_SANITIZER_WRITE
    for (index_t j = 0; j < block.cols; ++j)
        FROND_SANITIZER_WRITE(block.data + j * std::ptrdiff_t{block.ld}, block.rows * std::ptrdiff_t{sizeof(T)});
#endif
}

// Typed overloads of the Fortran BLAS routines that the kernels use. Sizes are 32-bit on both
// sides, so nothing is narrowed; empty operands return before the call, so null pointers are
// harmless.

using blas_int = std::int32_t;
static_assert(sizeof(blas_int) == sizeof(index_t), "BLAS with 32-bit integers (LP64)");

extern "C" {
#define FROND_BLAS_GEMM(name, T)                                                                               \
    void name(const char*, const char*, const blas_int*, const blas_int*, const blas_int*, const T*, const T*, \
              const blas_int*, const T*, const blas_int*, const T*, T*, const blas_int*);
#define FROND_BLAS_TRSM(name, T)                                                                              \
    void name(const char*, const char*, const char*, const char*, const blas_int*, const blas_int*, const T*, \
              const T*, const blas_int*, T*, const blas_int*);
FROND_BLAS_GEMM(sgemm_, float)
FROND_BLAS_GEMM(dgemm_, double)
FROND_BLAS_GEMM(cgemm_, std::complex<float>)
FROND_BLAS_GEMM(zgemm_, std::complex<double>)
FROND_BLAS_TRSM(strsm_, float)
FROND_BLAS_TRSM(dtrsm_, double)
FROND_BLAS_TRSM(ctrsm_, std::complex<float>)
FROND_BLAS_TRSM(ztrsm_, std::complex<double>)
#undef FROND_BLAS_GEMM
#undef FROND_BLAS_TRSM
}

#define FROND_BLAS_OVERLOADS(T, gemm_name, trsm_name)                                                                 \
    inline void call_gemm(char ta, char tb, blas_int m, blas_int n, blas_int k, T alpha, const T* a, blas_int lda,    \
                          const T* b, blas_int ldb, T beta, T* c, blas_int ldc) {                                     \
        gemm_name(&ta, &tb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);                                    \
    }                                                                                                                 \
    inline void call_trsm(char side, char uplo, char ta, char diag, blas_int m, blas_int n, const T* a, blas_int lda, \
                          T* b, blas_int ldb) {                                                                       \
        const T one = 1;                                                                                              \
        trsm_name(&side, &uplo, &ta, &diag, &m, &n, &one, a, &lda, b, &ldb);                                          \
    }
FROND_BLAS_OVERLOADS(float, sgemm_, strsm_)
FROND_BLAS_OVERLOADS(double, dgemm_, dtrsm_)
FROND_BLAS_OVERLOADS(std::complex<float>, cgemm_, ctrsm_)
FROND_BLAS_OVERLOADS(std::complex<double>, zgemm_, ztrsm_)
#undef FROND_BLAS_OVERLOADS

enum class Side : char { left = 'L', right = 'R' };
enum class Uplo : char { lower = 'L', upper = 'U' };
enum class Diagonal : char { unit = 'U', stored = 'N' };
enum class Op : char { none = 'N', transpose = 'T', adjoint = 'C' };

/// 'T' and 'C' mean the same for real scalars, which take 'T'.
template <class T>
char letter(Op op) {
    return !is_complex<T> && op == Op::adjoint ? 'T' : static_cast<char>(op);
}

/// C := alpha op(A) op(B) + beta C; the inner dimension is that of A.
template <class T>
void gemm(Op op_a, Op op_b, T alpha, DenseView<const T> a, DenseView<const T> b, T beta, DenseView<T> c) {
    const blas_int k = op_a == Op::none ? a.cols : a.rows;
    if (c.empty() || k == 0) return;
    note_read(a);
    note_read(b);
    note_write(c);
    call_gemm(letter<T>(op_a), letter<T>(op_b), c.rows, c.cols, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data,
              c.ld);
}

/// B := op(A)^-1 B (left) or B op(A)^-1 (right), A triangular.
template <class T>
void trsm(Side side, Uplo uplo, Op op, Diagonal diagonal, DenseView<const T> a, DenseView<T> b) {
    if (b.empty()) return;
    note_read(a);
    note_write(b);
    call_trsm(static_cast<char>(side), static_cast<char>(uplo), letter<T>(op), static_cast<char>(diagonal), b.rows,
              b.cols, a.data, a.ld, b.data, b.ld);
}

}  // namespace frond::cpu::blas
