// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_solve.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::gpu {

template <class T>
struct ResidentSolve<T>::State {};

template <class T>
ResidentSolve<T>::ResidentSolve(int, unsigned, PlacedFactors<T>, index_t) {
    throw DeviceError("this build of Frond has no device tasks");
}

template <class T>
ResidentSolve<T>::~ResidentSolve() = default;

// The constructor throws, so that nobody calls what follows.
#define FROND_NEVER_CALLED(Result, member) \
    template <class T>                     \
    Result ResidentSolve<T>::member {      \
        return static_cast<Result>(0);     \
    }
FROND_NEVER_CALLED(T*, host_vectors())
FROND_NEVER_CALLED(index_t, largest_rhs() const noexcept)
FROND_NEVER_CALLED(void, use(PlacedFactors<T>))
FROND_NEVER_CALLED(bool, leave_factors() noexcept)
FROND_NEVER_CALLED(void, grow(index_t))
FROND_NEVER_CALLED(count_t, system_bytes() const noexcept)
FROND_NEVER_CALLED(void, choose(Operation))
FROND_NEVER_CALLED(void, follow(const CallersStream&))
FROND_NEVER_CALLED(void, solve(index_t))
FROND_NEVER_CALLED(bool, has_system() const noexcept)
FROND_NEVER_CALLED(void, set_system(const SystemByRows<T>&, const ParallelFor&))
FROND_NEVER_CALLED(double, norm() const noexcept)
FROND_NEVER_CALLED(void, take_right_hand_sides(DenseView<const T>, MemoryPlace, const ParallelFor&))
FROND_NEVER_CALLED(void, correct(bool))
FROND_NEVER_CALLED(std::vector<ResidualSizes>, measure())
FROND_NEVER_CALLED(void, adopt(index_t, index_t))
FROND_NEVER_CALLED(void, give_solutions(DenseView<T>, MemoryPlace, const ParallelFor&))

std::shared_ptr<const ResidentPlan> plan_resident_solve(const Analysis&) { return nullptr; }

ResidentBytes resident_bytes(const Analysis&, const ResidentPlan&, count_t) { return {}; }

#define FROND_INSTANTIATE(T) template class ResidentSolve<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
