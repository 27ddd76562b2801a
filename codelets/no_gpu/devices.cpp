// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/devices.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/gpu/resident_factorization.hpp"

namespace frond::gpu {

DeviceVendor vendor_of_build() noexcept { return DeviceVendor::none; }

int device_count() noexcept { return 0; }
count_t devices_seen() noexcept { return 0; }

std::string why_unusable() {
    return "this build of Frond has no device tasks; build it with nvcc or hipcc and a "
           "StarPU that has CUDA or HIP";
}

std::vector<Device> devices() { return {}; }

std::optional<Device> first_device() { return std::nullopt; }

void set_device_body(starpu_codelet&, TaskKind::Body, DeviceRun) {}

bool pin_host_memory(void*, count_t) noexcept { return false; }
void unpin_host_memory(void*) noexcept {}

void measure_rates() noexcept {}

template <class T>
std::unique_ptr<ResidentFactorization<T>> plan_resident_factorization(const std::vector<Device>&,
                                                                      std::shared_ptr<const Analysis>,
                                                                      const PlanRequest&, const ParallelFor&) {
    throw DeviceError("this build of Frond has no device tasks");
}

#define FROND_INSTANTIATE(T)                                                           \
    template std::unique_ptr<ResidentFactorization<T>> plan_resident_factorization<T>( \
        const std::vector<Device>&, std::shared_ptr<const Analysis>, const PlanRequest&, const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
