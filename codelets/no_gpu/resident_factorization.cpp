// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_factorization.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::gpu {

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
