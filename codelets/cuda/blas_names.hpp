// SPDX-License-Identifier: BSD-3-Clause
// The names of cuBLAS behind those that codelets/gpu uses.
#pragma once

#include <cublas_v2.h>

#define FROND_BLAS_FILE "libcublas.so." FROND_TEXT(CUBLAS_VER_MAJOR)

/// Member of BlasLibrary, entry point.
#define FROND_BLAS_ENTRY_POINTS(X)            \
    X(create, cublasCreate)                   \
    X(destroy, cublasDestroy)                 \
    X(set_stream, cublasSetStream)            \
    X(set_atomics_mode, cublasSetAtomicsMode) \
    X(status_text, cublasGetStatusString)     \
    X(sgemm, cublasSgemm)                     \
    X(dgemm, cublasDgemm)                     \
    X(cgemm, cublasCgemm)                     \
    X(zgemm, cublasZgemm)                     \
    X(strsm, cublasStrsm)                     \
    X(dtrsm, cublasDtrsm)                     \
    X(ctrsm, cublasCtrsm)                     \
    X(ztrsm, cublasZtrsm)                     \
    X(strsv, cublasStrsv)                     \
    X(dtrsv, cublasDtrsv)                     \
    X(ctrsv, cublasCtrsv)                     \
    X(ztrsv, cublasZtrsv)

namespace frond::gpu {

struct BlasNames {
    using Handle = cublasHandle_t;
    using Status = cublasStatus_t;
    using ComplexFloat = cuComplex;
    using ComplexDouble = cuDoubleComplex;
    static constexpr const char* library = "cuBLAS";
    static constexpr auto success = CUBLAS_STATUS_SUCCESS;
    static constexpr auto no_atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
    static constexpr auto left = CUBLAS_SIDE_LEFT, right = CUBLAS_SIDE_RIGHT;
    static constexpr auto lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
    static constexpr auto plain = CUBLAS_OP_N, transposed = CUBLAS_OP_T, adjoint = CUBLAS_OP_C;
    static constexpr auto unit = CUBLAS_DIAG_UNIT, non_unit = CUBLAS_DIAG_NON_UNIT;
};

}  // namespace frond::gpu
