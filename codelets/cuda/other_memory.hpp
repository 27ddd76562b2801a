// SPDX-License-Identifier: BSD-3-Clause
// Allocations of devices, which other processes open, by NVIDIA's driver.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "processes/exported_memory.hpp"

namespace frond::gpu {

namespace driver {

/// A function of the driver, which the runtime knows where to find; null where the driver has none.
template <class Function>
Function* function(const char* name) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    constexpr unsigned version = 12000;
    const cudaError_t status = cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result);
#else
    const cudaError_t status = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
    if (status == cudaSuccess && result == cudaDriverEntryPointSuccess) return reinterpret_cast<Function*>(found);
    static_cast<void>(cudaGetLastError());
    return nullptr;
}

}  // namespace driver

/// Where the allocation of `data` begins, and its number. False: the driver does not know.
inline bool find_allocation(const void* data, void** begin, std::uint64_t* number) {
    static auto* const range =
        driver::function<CUresult(CUdeviceptr*, std::size_t*, CUdeviceptr)>("cuMemGetAddressRange");
    static auto* const attribute =
        driver::function<CUresult(void*, CUpointer_attribute, CUdeviceptr)>("cuPointerGetAttribute");
    const auto address = reinterpret_cast<CUdeviceptr>(data);
    CUdeviceptr base = 0;
    unsigned long long id = 0;
    if (range == nullptr || attribute == nullptr || range(&base, nullptr, address) != CUDA_SUCCESS ||
        attribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, address) != CUDA_SUCCESS)
        return false;
    *begin = reinterpret_cast<void*>(base);
    *number = id;
    return true;
}

}  // namespace frond::gpu
