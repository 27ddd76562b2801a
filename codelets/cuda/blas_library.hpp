// SPDX-License-Identifier: BSD-3-Clause
// cuBLAS, loaded when a device is first used: programs with Frond start without it, as they must where
// there is no NVIDIA card.
#pragma once

#include <string>

#include "vendor.hpp"

namespace frond::gpu {

using BlasHandle = cublasHandle_t;

/// The entry points of cuBLAS that Frond calls.
struct BlasLibrary {
    decltype(&cublasCreate) create = nullptr;
    decltype(&cublasDestroy) destroy = nullptr;
    decltype(&cublasSetStream) set_stream = nullptr;
    decltype(&cublasSgemm) sgemm = nullptr;
    decltype(&cublasDgemm) dgemm = nullptr;
    decltype(&cublasCgemm) cgemm = nullptr;
    decltype(&cublasZgemm) zgemm = nullptr;
    decltype(&cublasStrsm) strsm = nullptr;
    decltype(&cublasDtrsm) dtrsm = nullptr;
    decltype(&cublasCtrsm) ctrsm = nullptr;
    decltype(&cublasZtrsm) ztrsm = nullptr;
};

/// @throws DeviceError  cuBLAS is not installed or lacks an entry point
const BlasLibrary& blas_library();

/// Empty when blas_library() succeeds, else why not.
std::string blas_library_missing();

/// @throws DeviceError with cuBLAS's own name of the status
void check_blas(cublasStatus_t status, const char* call);

}  // namespace frond::gpu
