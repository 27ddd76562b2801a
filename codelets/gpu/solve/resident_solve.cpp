// SPDX-License-Identifier: BSD-3-Clause
// What a solve keeps on the device, from its factors to the next ones.
#include "frond/gpu/resident_solve.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/solve_on_device.hpp"
#include "solve/solve_phases.hpp"

namespace frond::gpu {

template <class T>
SolveOnDevice<T>::SolveOnDevice(int number, unsigned memory_node, PlacedFactors<T>&& placed, index_t most_rhs)
    : device_(number),
      node_(memory_node),
      factors_(std::move(placed)),
      kind_(factors_.analysis->factorization),
      n_(static_cast<index_t>(factors_.analysis->order + factors_.plan->layout.outside)) {
    try {
        rows_.emplace(node_, queue_.stream(), factors_.plan->rows);
        rows_->send_pivot_order(node_, queue_.stream(), factors_);
        inverses_ = std::make_unique<DiagonalInverses<T>>(node_, factors_.plan->steps);
        invert(true);
        make_room(most_rhs);
    } catch (...) {
        drain();  // no destructor follows
        throw;
    }
}

/// Memory goes with the device as the current one.
template <class T>
SolveOnDevice<T>::~SolveOnDevice() {
    try {
        at_end_.emplace(device_);
    } catch (const DeviceError&) {  // the device is gone, and what was on it
    }
    drain();
}

/// Lists have the addresses of factors and of what is sent here.
template <class T>
void SolveOnDevice<T>::use(PlacedFactors<T> placed) {
    const CurrentDevice now(device_);
    const bool has_moved = placed.fronts != factors_.fronts;
    factors_ = std::move(placed);
    rows_->send_pivot_order(node_, queue_.stream(), factors_);
    invert(has_moved);
    for (const auto& system : systems_)
        if (system != nullptr) system->is_set = false;
    if (!has_moved) return;
    transposed_.reset();
    plain_.reset();
    plain_ = substitution(false);
}

template <class T>
bool SolveOnDevice<T>::leave_factors() noexcept {
    try {
        const CurrentDevice now(device_);
        return drain();
    } catch (const DeviceError&) {
        return false;
    }
}

template <class T>
void SolveOnDevice<T>::grow(index_t rhs) {
    const CurrentDevice now(device_);
    make_room(rhs);
}

template <class T>
count_t SolveOnDevice<T>::system_bytes() const noexcept {
    count_t bytes = plain_->bytes() + (transposed_ == nullptr ? 0 : transposed_->bytes());
    for (const auto& system : systems_)
        if (system != nullptr) bytes += system->bytes();
    return bytes;
}

template <class T>
void SolveOnDevice<T>::choose(Operation wanted) {
    const CurrentDevice now(device_);
    // Complex numbers alone know the difference.
    op_ = is_complex<T> || wanted == Operation::none ? wanted : Operation::transpose;
    FROND_EXPECTS(op_ == Operation::none || kind_ == Factorization::lu, "a transposed solve without L U");
    if (op_ != Operation::none && transposed_ == nullptr) transposed_ = substitution(true);
}

template <class T>
T* SolveOnDevice<T>::host_vectors() {
    const CurrentDevice now(device_);
    if (host_ == nullptr) host_ = std::make_unique<PinnedMemory<T>>(static_cast<count_t>(n_) * largest_rhs_);
    return host_->data();
}

template <class T>
void SolveOnDevice<T>::invert(bool have_moved) {
    inverses_->compute(queue_, factors_, factors_.plan->steps, have_moved);
    factors_.pivot_order = {};
}

/// Vectors, and the lists with their addresses; the old ones first, which a solve that was cancelled may still use.
template <class T>
void SolveOnDevice<T>::make_room(index_t rhs) {
    wait();
    largest_rhs_ = rhs;
    plain_.reset();
    transposed_.reset();
    refinement_.reset();
    host_.reset();
    for (DeviceMemory<S>* memory : {&front_rows_, &x_, &w_}) *memory = {};
    const count_t vector = static_cast<count_t>(n_) * rhs,
                  rows = factors_.plan->layout.rows + factors_.plan->layout.outside;
    front_rows_ = {node_, rows * rhs};
    x_ = {node_, vector};
    w_ = {node_, vector};
    vectors_ = {front_rows_.data(), rows, x_.data(), w_.data(), n_, rhs};
    plain_ = substitution(false);
}

/// Waits for what was queued, before memory goes. False: a kernel had a fault; then it is noted that the device is
/// lost.
template <class T>
bool SolveOnDevice<T>::drain() noexcept {
    const auto status = FROND_GPU(StreamSynchronize)(queue_.stream());
    ignore(status);
    if (status == FROND_GPU(Success)) return true;
    static_cast<void>(works(node_));
    return false;
}

template <class T>
std::unique_ptr<DeviceSubstitution<T>> SolveOnDevice<T>::substitution(bool with_transpose) const {
    const SolveMemory<S> memory{reinterpret_cast<const S*>(inverses_->data()), rows_->pivot_order.data(), vectors_};
    return std::make_unique<DeviceSubstitution<T>>(
        node_, queue_.stream(),
        solve_phases<T>(factors_, factors_.plan->layout, factors_.plan->steps, memory, with_transpose), largest_rhs_);
}

template <class T>
std::unique_ptr<ResidentSolve<T>> make_resident_solve(int device, unsigned memory_node, PlacedFactors<T> factors,
                                                      index_t largest_rhs) {
    const CurrentDevice now(device);
    return std::make_unique<SolveOnDevice<T>>(device, memory_node, std::move(factors), largest_rhs);
}

#define FROND_INSTANTIATE(T)         \
    template class SolveOnDevice<T>; \
    template std::unique_ptr<ResidentSolve<T>> make_resident_solve<T>(int, unsigned, PlacedFactors<T>, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
