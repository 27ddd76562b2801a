// SPDX-License-Identifier: BSD-3-Clause
// The names of AMD's runtime behind those that codelets/gpu uses.
#pragma once

#include <hip/hip_runtime.h>
#include <starpu.h>
#include <starpu_hip.h>

#include <array>
#include <string>

#include "frond/base/device_vendor.hpp"

namespace frond::gpu {

/// FROND_GPU(Memcpy) is hipMemcpy.
#define FROND_GPU(name) hip##name

using Stream = hipStream_t;
using MemcpyKind = hipMemcpyKind;
inline constexpr DeviceVendor vendor = DeviceVendor::amd;
inline constexpr unsigned device_workers = STARPU_HIP;
inline constexpr starpu_worker_archtype device_worker_type = STARPU_HIP_WORKER;

/// Lets StarPU run the codelet on a device as well. Asynchronous: its function returns when its
/// work is on the worker's stream; StarPU waits for that.
inline void set_device_function(starpu_codelet& codelet, starpu_hip_func_t function, bool asynchronous = false) {
    codelet.hip_funcs[0] = function;
    codelet.hip_flags[0] = asynchronous ? STARPU_HIP_ASYNC : 0;
    codelet.where = STARPU_CPU | STARPU_HIP;
}

/// The same for what only devices can do.
inline void set_device_only_function(starpu_codelet& codelet, starpu_hip_func_t function) {
    set_device_function(codelet, function);
    codelet.where = STARPU_HIP;
}

/// The emulated device fills it, so that tests find who reads what nobody wrote.
inline void spoil_new_memory(void*, std::size_t) noexcept {}

inline Stream task_stream() { return starpu_hip_get_local_stream(); }

inline hipError_t allocate_pinned(void** memory, std::size_t bytes) { return hipHostMalloc(memory, bytes); }

inline hipError_t free_pinned(void* memory) { return hipHostFree(memory); }

/// "AMD Instinct MI300X".
inline std::string device_name(int device) {
    std::array<char, 256> name{};
    if (hipDeviceGetName(name.data(), static_cast<int>(name.size() - 1), device) == hipSuccess && name[0] != 0)
        return name.data();
    static_cast<void>(hipGetLastError());
    return "AMD card " + std::to_string(device);
}

/// The runtime itself refuses a card that the kernels were not compiled for.
inline std::string why_no_code_for(int, int) { return {}; }

using PointerFacts = hipPointerAttribute_t;

inline bool is_managed(const PointerFacts& facts) { return facts.isManaged != 0; }

inline bool is_on_device(const PointerFacts& facts) {
#if HIP_VERSION_MAJOR >= 6
    return facts.type == hipMemoryTypeDevice;
#else
    return facts.memoryType == hipMemoryTypeDevice;
#endif
}

inline hipError_t instantiate_graph(hipGraphExec_t* executable, hipGraph_t graph) {
    return hipGraphInstantiate(executable, graph, nullptr, nullptr, 0);
}

}  // namespace frond::gpu
