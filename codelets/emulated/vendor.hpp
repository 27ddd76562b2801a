// SPDX-License-Identifier: BSD-3-Clause
// A device that the host plays, for tests: the names behind those that codelets/gpu uses.
#pragma once

#include <starpu.h>  // before execution.hpp, whose names a StarPU with CUDA declares, too

#include "execution.hpp"
#include "frond/base/device_vendor.hpp"
#include "runtime.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace frond::gpu {

/// FROND_GPU(Memcpy) is emulatedMemcpy.
#define FROND_GPU(name) emulated##name

using Stream = emulatedStream_t;
using MemcpyKind = emulatedMemcpyKind;
inline constexpr DeviceVendor vendor = DeviceVendor::emulated;
inline constexpr unsigned device_workers = STARPU_CPU;
inline constexpr starpu_worker_archtype device_worker_type = STARPU_CPU_WORKER;

/// Tasks of factorizations stay on cores. Tests find the device's implementation where no worker looks for one, since
/// there are none for OpenCL.
inline void set_device_function(starpu_codelet& codelet, starpu_opencl_func_t function, bool = false) {
    codelet.opencl_funcs[0] = function;
}

/// But for what only devices can do.
inline void set_device_only_function(starpu_codelet& codelet, starpu_cpu_func_t function) {
    codelet.cpu_funcs[0] = function;
    codelet.where = STARPU_CPU;
}

/// So that who reads what nobody wrote is found: all bits of its numbers are wrong, and indices far out of range.
inline void spoil_new_memory(void* memory, std::size_t bytes) noexcept {
    constexpr int pattern = 0xa5;
    std::memset(memory, pattern, bytes);
}

inline Stream task_stream() { return nullptr; }

inline int allocate_pinned(void** memory, std::size_t bytes) { return emulatedMalloc(memory, bytes); }
inline int free_pinned(void* memory) { return emulatedFree(memory); }

using PointerFacts = EmulatedPointerFacts;
inline bool is_managed(const PointerFacts&) { return false; }
inline bool is_on_device(const PointerFacts&) { return false; }
inline std::string device_name(int) { return "emulated device"; }
inline std::string why_no_code_for(int, int) { return {}; }

/// On the host in place of a launch.
#define FROND_EMULATED_LAUNCH
template <class Kernel>
void queue_kernel(dim3 grid, dim3 threads, Kernel kernel) {
    queue_emulated([=] { emulated::run_kernel(grid, threads, kernel); });
}

}  // namespace frond::gpu

// Functions that kernels call and the host's compiler does not know. Threads take turns: nothing needs to be atomic.

using std::max;
using std::min;

template <class Value>
Value atomicMax(Value* at, Value value) {
    const Value before = *at;
    *at = std::max(before, value);
    return before;
}
template <class Value>
Value atomicMin(Value* at, Value value) {
    const Value before = *at;
    *at = std::min(before, value);
    return before;
}
inline unsigned atomicInc(unsigned* at, unsigned last) {
    const unsigned before = *at;
    *at = before >= last ? 0 : before + 1;
    return before;
}
inline void __threadfence() {}

inline unsigned __float_as_uint(float x) {
    unsigned bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
inline long long __double_as_longlong(double x) {
    long long bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
inline double __longlong_as_double(long long bits) {
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
