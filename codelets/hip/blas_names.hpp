// SPDX-License-Identifier: BSD-3-Clause
// The names of rocBLAS behind those that codelets/gpu uses.
#pragma once

#include <rocblas/rocblas.h>

// Before its version 3 the library counted its interface apart from itself.
#if ROCBLAS_VERSION_MAJOR < 3
#define FROND_BLAS_FILE "librocblas.so.0"
#else
#define FROND_BLAS_FILE "librocblas.so." FROND_TEXT(ROCBLAS_VERSION_MAJOR)
#endif

/// Member of BlasLibrary, entry point.
#define FROND_BLAS_ENTRY_POINTS(X)                \
    X(create, rocblas_create_handle)              \
    X(destroy, rocblas_destroy_handle)            \
    X(set_stream, rocblas_set_stream)             \
    X(set_atomics_mode, rocblas_set_atomics_mode) \
    X(status_text, rocblas_status_to_string)      \
    X(sgemm, rocblas_sgemm)                       \
    X(dgemm, rocblas_dgemm)                       \
    X(cgemm, rocblas_cgemm)                       \
    X(zgemm, rocblas_zgemm)                       \
    X(strsm, rocblas_strsm)                       \
    X(dtrsm, rocblas_dtrsm)                       \
    X(ctrsm, rocblas_ctrsm)                       \
    X(ztrsm, rocblas_ztrsm)                       \
    X(strsv, rocblas_strsv)                       \
    X(dtrsv, rocblas_dtrsv)                       \
    X(ctrsv, rocblas_ctrsv)                       \
    X(ztrsv, rocblas_ztrsv)

namespace frond::gpu {

struct BlasNames {
    using Handle = rocblas_handle;
    using Status = rocblas_status;
    using ComplexFloat = rocblas_float_complex;
    using ComplexDouble = rocblas_double_complex;
    static constexpr const char* library = "rocBLAS";
    static constexpr auto success = rocblas_status_success;
    static constexpr auto no_atomics = rocblas_atomics_not_allowed;
    static constexpr auto left = rocblas_side_left, right = rocblas_side_right;
    static constexpr auto lower = rocblas_fill_lower, upper = rocblas_fill_upper;
    static constexpr auto plain = rocblas_operation_none, transposed = rocblas_operation_transpose,
                          adjoint = rocblas_operation_conjugate_transpose;
    static constexpr auto unit = rocblas_diagonal_unit, non_unit = rocblas_diagonal_non_unit;
};

}  // namespace frond::gpu
