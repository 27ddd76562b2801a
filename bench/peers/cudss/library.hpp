// SPDX-License-Identifier: BSD-3-Clause
// NVIDIA's cuDSS, loaded at run time: programs that may use it start on machines without it.
#pragma once

#include <cuda_runtime_api.h>

#include <cudss.h>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

namespace frond::bench {

#define FROND_CUDSS_FUNCTIONS(apply) \
    apply(cudssGetProperty);         \
    apply(cudssCreate);              \
    apply(cudssDestroy);             \
    apply(cudssSetThreadingLayer);   \
    apply(cudssConfigCreate);        \
    apply(cudssConfigDestroy);       \
    apply(cudssConfigSet);           \
    apply(cudssDataCreate);          \
    apply(cudssDataDestroy);         \
    apply(cudssDataSet);             \
    apply(cudssDataGet);             \
    apply(cudssMatrixCreateCsr);     \
    apply(cudssMatrixCreateDn);      \
    apply(cudssMatrixDestroy);       \
    apply(cudssExecute)

struct CudssLibrary {
#define FROND_CUDSS_MEMBER(function) decltype(&::function) function = nullptr
    FROND_CUDSS_FUNCTIONS(FROND_CUDSS_MEMBER);
#undef FROND_CUDSS_MEMBER
    std::string version;
    std::string threading_layer;  // file of the GNU OpenMP layer, beside the library
};

/// Loaded once. @throws std::runtime_error  it cannot be loaded, or is not the version of the
/// header
const CudssLibrary& cudss_library();

/// @throws std::runtime_error naming the call and its status
void check(cudssStatus_t status, const char* call);
void check(cudaError_t status, const char* call);

const char* to_string(cudssStatus_t status);

/// What cuDSS created and is to destroy.
template <class Handle>
using CudssOwner = std::unique_ptr<std::remove_pointer_t<Handle>, std::function<void(Handle)>>;

CudssOwner<cudssHandle_t> make_cudss_handle();
CudssOwner<cudssConfig_t> make_cudss_config();
/// The handle must outlive it.
CudssOwner<cudssData_t> make_cudss_data(cudssHandle_t handle);
CudssOwner<cudssMatrix_t> own_cudss_matrix(cudssMatrix_t matrix);

}  // namespace frond::bench
