// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_solve.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::gpu {

template <class T>
std::unique_ptr<ResidentSolve<T>> make_resident_solve(int, unsigned, PlacedFactors<T>, index_t) {
    throw DeviceError("this build of Frond has no device tasks");
}

std::shared_ptr<const ResidentPlan> plan_resident_solve(const Analysis&) { return nullptr; }

ResidentBytes resident_bytes(const Analysis&, const ResidentPlan&, count_t) { return {}; }

#define FROND_INSTANTIATE(T) \
    template std::unique_ptr<ResidentSolve<T>> make_resident_solve<T>(int, unsigned, PlacedFactors<T>, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
