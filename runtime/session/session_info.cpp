// SPDX-License-Identifier: BSD-3-Clause
#include <starpu.h>
#include <unistd.h>

#include "frond/cpu/blas_info.hpp"
#include "frond/gpu/devices.hpp"
#include "memory/free_memory.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

SessionInfo SessionState::info() {
    start();
    SessionInfo info;
    info.owns_starpu = owns_starpu_;
    info.cpu_workers = cpu_workers_;
    info.scheduler = scheduler_;
    info.worker_binding = worker_binding_;
    info.tuning_file = tuning_.file;
    if (tuning_.taken) info.tuning = differences(*tuning_.taken);
    info.tuning_advice = tuning_.advice;
    int version[3] = {0, 0, 0};
    starpu_get_version(&version[0], &version[1], &version[2]);
    info.starpu_version =
        std::to_string(version[0]) + "." + std::to_string(version[1]) + "." + std::to_string(version[2]);
    if (running()) {
        info.cuda_workers = static_cast<index_t>(starpu_cuda_worker_get_count());
        info.hip_workers = static_cast<index_t>(starpu_hip_worker_get_count());
    }
    info.gpu_vendor = gpu::vendor_of_build();
    info.gpus = gpus_;
    info.gpu_advice = gpu_advice_;
    const BlasInfo blas = blas_info();
    info.blas = blas.name_version;
    info.blas_kernel = blas.kernel;
    info.blas_advice = blas.advice;
    info.memory_total_bytes =
        static_cast<count_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<count_t>(sysconf(_SC_PAGESIZE));
    info.memory_free_bytes = free_memory_bytes();
    return info;
}

}  // namespace frond::detail
