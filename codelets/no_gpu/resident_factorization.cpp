// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_factorization.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::gpu {

template <class T>
struct ResidentFactorization<T>::State {
    std::shared_ptr<const Analysis> analysis;
    std::vector<TreePiece> pieces;
    std::vector<index_t> piece_of_fronts;
    std::vector<BlockRoom> rooms;
    std::vector<FailedPivot> failed_pivots;
};

template <class T>
ResidentFactorization<T>::ResidentFactorization(const std::vector<Device>&, std::shared_ptr<const Analysis>, count_t,
                                                PivotSearch, index_t) {
    throw DeviceError("this build of Frond has no device tasks");
}

template <class T>
ResidentFactorization<T>::~ResidentFactorization() = default;

template <class T>
const std::shared_ptr<const Analysis>& ResidentFactorization<T>::analysis() const noexcept {
    return state_->analysis;
}

template <class T>
std::size_t ResidentFactorization<T>::used_devices() const noexcept {
    return 0;
}

template <class T>
count_t ResidentFactorization<T>::bytes(std::size_t) const noexcept {
    return 0;
}

template <class T>
std::function<index_t(index_t, index_t)> ResidentFactorization<T>::columns_that_fit(count_t) const {
    return [](index_t npiv, index_t) { return npiv; };
}

template <class T>
count_t ResidentFactorization<T>::host_bytes() const noexcept {
    return 0;
}

template <class T>
const std::vector<TreePiece>& ResidentFactorization<T>::pieces() const noexcept {
    return state_->pieces;
}

template <class T>
const std::vector<index_t>& ResidentFactorization<T>::piece_of_fronts() const noexcept {
    return state_->piece_of_fronts;
}

template <class T>
const std::vector<BlockRoom>& ResidentFactorization<T>::rooms() const noexcept {
    return state_->rooms;
}

template <class T>
bool ResidentFactorization<T>::is_in_parts() const noexcept {
    return false;
}

template <class T>
count_t ResidentFactorization<T>::strips() const noexcept {
    return 0;
}

template <class T>
count_t ResidentFactorization<T>::host_traffic_bytes() const noexcept {
    return 0;
}

template <class T>
count_t ResidentFactorization<T>::pivot_bytes() const noexcept {
    return 0;
}

template <class T>
count_t ResidentFactorization<T>::launches() const noexcept {
    return 0;
}

template <class T>
T* ResidentFactorization<T>::host_values() {
    return nullptr;
}

template <class T>
void ResidentFactorization<T>::run(const PieceRun<T>&) {}

template <class T>
double ResidentFactorization<T>::largest_entry() const {
    return 0;
}

template <class T>
void ResidentFactorization<T>::put_pivots(index_t, const std::vector<T>&, const std::vector<index_t>&) {}

template <class T>
std::vector<double> ResidentFactorization<T>::front_seconds() const {
    return {};
}

template <class T>
bool ResidentFactorization<T>::finish(const PivotRule&, Answer&) {
    return false;
}

template <class T>
const std::vector<FailedPivot>& ResidentFactorization<T>::failed_pivots() const noexcept {
    return state_->failed_pivots;
}

#define FROND_INSTANTIATE(T) template class ResidentFactorization<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
