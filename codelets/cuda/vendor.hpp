// SPDX-License-Identifier: BSD-3-Clause
// The names of NVIDIA's runtime behind those that codelets/gpu uses.
#pragma once

#include <cuda_runtime.h>
#include <starpu.h>
#include <starpu_cuda.h>

#include <string>

#include "frond/base/device_vendor.hpp"

namespace frond::gpu {

/// FROND_GPU(Memcpy) is cudaMemcpy.
#define FROND_GPU(name) cuda##name

using Stream = cudaStream_t;
using MemcpyKind = cudaMemcpyKind;
inline constexpr DeviceVendor vendor = DeviceVendor::nvidia;
inline constexpr unsigned device_workers = STARPU_CUDA;
inline constexpr starpu_worker_archtype device_worker_type = STARPU_CUDA_WORKER;

/// Lets StarPU run the codelet on a device as well. Asynchronous: its function returns when its work is on
/// the worker's stream; StarPU waits for that.
inline void set_device_function(starpu_codelet& codelet, starpu_cuda_func_t function, bool asynchronous = false) {
    codelet.cuda_funcs[0] = function;
    codelet.cuda_flags[0] = asynchronous ? STARPU_CUDA_ASYNC : 0;
    codelet.where = STARPU_CPU | STARPU_CUDA;
}

/// The same for what only devices can do.
inline void set_device_only_function(starpu_codelet& codelet, starpu_cuda_func_t function) {
    set_device_function(codelet, function);
    codelet.where = STARPU_CUDA;
}

/// The emulated device fills it, so that tests find who reads what nobody wrote.
inline void spoil_new_memory(void*, std::size_t) noexcept {}

inline Stream task_stream() { return starpu_cuda_get_local_stream(); }

inline cudaError_t allocate_pinned(void** memory, std::size_t bytes) { return cudaMallocHost(memory, bytes); }
inline cudaError_t free_pinned(void* memory) { return cudaFreeHost(memory); }

using PointerFacts = cudaPointerAttributes;
inline bool is_managed(const PointerFacts& facts) { return facts.type == cudaMemoryTypeManaged; }
inline bool is_on_device(const PointerFacts& facts) { return facts.type == cudaMemoryTypeDevice; }

/// "NVIDIA H200".
inline std::string device_name(int device) {
    cudaDeviceProp facts{};
    if (cudaGetDeviceProperties(&facts, device) == cudaSuccess) return facts.name;
    static_cast<void>(cudaGetLastError());
    return "NVIDIA card " + std::to_string(device);
}

/// Why none of the kernels can run there, which are compiled for cards of the lowest capability and later ones.
inline std::string why_no_code_for(int device, int lowest) {
    int major = 0, minor = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        return "card " + std::to_string(device) + " does not tell its compute capability";
    }
    if (10 * major + minor >= lowest) return {};
    const std::string own = std::to_string(10 * major + minor);
    return "card " + std::to_string(device) + " has compute capability " + own + ", and this build has no code below " +
           std::to_string(lowest) + "; build with FROND_CUDA_ARCHITECTURES=" + own +
           ", or hide the card with CUDA_VISIBLE_DEVICES";
}

/// Kernels keep the priorities of the streams that they were recorded from.
inline cudaError_t instantiate_graph(cudaGraphExec_t* executable, cudaGraph_t graph) {
    return cudaGraphInstantiate(executable, graph, cudaGraphInstantiateFlagUseNodePriority);
}

}  // namespace frond::gpu
