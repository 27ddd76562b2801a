// SPDX-License-Identifier: BSD-3-Clause
// The names of NVIDIA's runtime behind those that codelets/gpu uses.
#pragma once

#include <cuda_runtime.h>
#include <starpu.h>
#include <starpu_cuda.h>

namespace frond::gpu {

/// FROND_GPU(Memcpy) is cudaMemcpy.
#define FROND_GPU(name) cuda##name

using Stream = cudaStream_t;
using MemcpyKind = cudaMemcpyKind;
inline constexpr const char* vendor = "CUDA";
inline constexpr unsigned device_workers = STARPU_CUDA;
inline constexpr starpu_worker_archtype device_worker_type = STARPU_CUDA_WORKER;

/// Lets StarPU run the codelet on a device as well. Asynchronous: its function returns when its work is on
/// the worker's stream; StarPU waits for that.
inline void set_device_function(starpu_codelet& codelet, starpu_cuda_func_t function, bool asynchronous = false) {
    codelet.cuda_funcs[0] = function;
    codelet.cuda_flags[0] = asynchronous ? STARPU_CUDA_ASYNC : 0;
    codelet.where = STARPU_CPU | STARPU_CUDA;
}

inline Stream task_stream() { return starpu_cuda_get_local_stream(); }

inline cudaError_t allocate_pinned(void** memory, std::size_t bytes) { return cudaMallocHost(memory, bytes); }
inline cudaError_t free_pinned(void* memory) { return cudaFreeHost(memory); }

using PointerFacts = cudaPointerAttributes;
inline bool is_managed(const PointerFacts& facts) { return facts.type == cudaMemoryTypeManaged; }
inline bool is_on_device(const PointerFacts& facts) { return facts.type == cudaMemoryTypeDevice; }

/// Kernels keep the priorities of the streams that they were recorded from.
inline cudaError_t instantiate_graph(cudaGraphExec_t* executable, cudaGraph_t graph) {
    return cudaGraphInstantiate(executable, graph, cudaGraphInstantiateFlagUseNodePriority);
}

}  // namespace frond::gpu
