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

template <class T>
T* ResidentSolve<T>::host_vectors() {
    return nullptr;
}

template <class T>
index_t ResidentSolve<T>::largest_rhs() const noexcept {
    return 0;
}

template <class T>
void ResidentSolve<T>::use(PlacedFactors<T>) {}

template <class T>
bool ResidentSolve<T>::leave_factors() noexcept {
    return false;
}

template <class T>
void ResidentSolve<T>::grow(index_t) {}

template <class T>
count_t ResidentSolve<T>::system_bytes() const noexcept {
    return 0;
}

template <class T>
void ResidentSolve<T>::choose(Operation) {}

template <class T>
void ResidentSolve<T>::follow(const CallersStream&) {}

template <class T>
void ResidentSolve<T>::solve(index_t) {}

template <class T>
bool ResidentSolve<T>::has_system() const noexcept {
    return false;
}

template <class T>
void ResidentSolve<T>::set_system(const SystemByRows<T>&) {}

template <class T>
double ResidentSolve<T>::norm() const noexcept {
    return 0;
}

template <class T>
void ResidentSolve<T>::take_right_hand_sides(DenseView<const T>, MemoryPlace) {}

template <class T>
void ResidentSolve<T>::correct(bool) {}

template <class T>
std::vector<ResidualSizes> ResidentSolve<T>::measure() {
    return {};
}

template <class T>
void ResidentSolve<T>::adopt(index_t, index_t) {}

template <class T>
void ResidentSolve<T>::give_solutions(DenseView<T>, MemoryPlace) {}

std::shared_ptr<const ResidentPlan> plan_resident_solve(const Analysis&) { return nullptr; }

ResidentBytes resident_bytes(const Analysis&, const ResidentPlan&, count_t) { return {}; }

#define FROND_INSTANTIATE(T) template class ResidentSolve<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
