// SPDX-License-Identifier: BSD-3-Clause
// A solve with factors on the device, and the steps of its refinement there.
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/substitution/refinement.hpp"
#include "solve/solve_on_device.hpp"
#include "solve/staged_copies.hpp"

namespace frond::gpu {

template <class T>
void SolveOnDevice<T>::follow(const CallersStream& stream) {
    const CurrentDevice now(device_);
    check(FROND_GPU(StreamWaitEvent)(queue_.stream(), static_cast<FROND_GPU(Event_t)>(stream.event()), 0),
          "waiting for the stream of the solve's options");
}

template <class T>
void SolveOnDevice<T>::solve(index_t rhs) {
    const CurrentDevice now(device_);
    const std::size_t bytes = at(n_) * at(rhs) * sizeof(T);
    T* const pinned = host_vectors();
    check(FROND_GPU(MemcpyAsync)(x_.data(), pinned, bytes, FROND_GPU(MemcpyHostToDevice), queue_.stream()),
          "sending right-hand sides");
    substitute(rhs);
    check(FROND_GPU(MemcpyAsync)(pinned, x_.data(), bytes, FROND_GPU(MemcpyDeviceToHost), queue_.stream()),
          "fetching solutions");
    wait();
}

template <class T>
void SolveOnDevice<T>::make_refinement() {
    if (refinement_ == nullptr) refinement_ = std::make_unique<DeviceRefinement<T>>(node_, n_, largest_rhs_);
}

template <class T>
void SolveOnDevice<T>::set_system(const SystemByRows<T>& given, const ParallelFor& parallel_for) {
    const CurrentDevice now(device_);
    make_refinement();
    if (system() != nullptr && system()->pattern == given.pattern)
        system()->set(queue_.stream(), given, staged_, parallel_for);
    else
        system() = std::make_unique<DeviceSystem<T>>(node_, queue_.stream(), given, staged_, parallel_for);
}

template <class T>
void SolveOnDevice<T>::take_right_hand_sides(DenseView<const T> given, MemoryPlace place,
                                             const ParallelFor& parallel_for) {
    const CurrentDevice now(device_);
    FROND_EXPECTS(given.cols <= largest_rhs_, "more right-hand sides than there is room for");
    make_refinement();
    const bool there = place == MemoryPlace::device;
    if (!there) send_columns<T>(staged_, queue_.stream(), given, x_.data(), parallel_for);
    refinement_->vectors.rhs = given.cols;
    gpu::take_right_hand_sides<S>(queue_.stream(), view(), there ? reinterpret_cast<const S*>(given.data) : x_.data(),
                                  there ? given.ld : n_, refinement_->vectors);
}

template <class T>
void SolveOnDevice<T>::correct(bool first) {
    const CurrentDevice now(device_);
    correcting_.record(queue_.stream());
    scale_residuals(queue_.stream(), view(), refinement_->vectors, x_.data());
    substitute(refinement_->vectors.rhs);
    add_corrections(queue_.stream(), view(), refinement_->vectors, first, x_.data());
    corrected_.record(queue_.stream());
}

template <class T>
std::vector<ResidualSizes> SolveOnDevice<T>::measure() {
    const CurrentDevice now(device_);
    measure_errors(queue_.stream(), view(), refinement_->vectors, refinement_->errors.data());
    return refinement_->fetch_sizes(queue_.stream());
}

template <class T>
void SolveOnDevice<T>::adopt(index_t q, index_t count) {
    const CurrentDevice now(device_);
    adopt_trial(queue_.stream(), view(), refinement_->vectors, q, count);
}

template <class T>
void SolveOnDevice<T>::give_solutions(DenseView<T> given, MemoryPlace place, const ParallelFor& parallel_for) {
    const CurrentDevice now(device_);
    const bool there = place == MemoryPlace::device;
    gpu::give_solutions<S>(queue_.stream(), view(), refinement_->vectors,
                           there ? reinterpret_cast<S*>(given.data) : x_.data(), there ? given.ld : n_);
    if (there)
        wait();
    else
        fetch_columns<T>(staged_, queue_.stream(), x_.data(), given, parallel_for);
}

template <class T>
void SolveOnDevice<T>::substitute(index_t rhs, Sweep sweep) {
    SolveVectors<S> v = vectors_;
    v.rhs = rhs;
    const bool plainly = op_ == Operation::none;
    const bool conjugated = plainly ? kind_ != Factorization::ldlt : op_ == Operation::adjoint;
    (plainly ? *plain_ : *transposed_)
        .run(queue_.stream(), sweep, rows_->of_solve(!plainly), v, conjugated, kind_ == Factorization::ldlh);
}

#define FROND_INSTANTIATE(T)                                                                                    \
    template void SolveOnDevice<T>::follow(const CallersStream&);                                               \
    template void SolveOnDevice<T>::solve(index_t);                                                             \
    template void SolveOnDevice<T>::make_refinement();                                                          \
    template void SolveOnDevice<T>::set_system(const SystemByRows<T>&, const ParallelFor&);                     \
    template void SolveOnDevice<T>::take_right_hand_sides(DenseView<const T>, MemoryPlace, const ParallelFor&); \
    template void SolveOnDevice<T>::correct(bool);                                                              \
    template std::vector<ResidualSizes> SolveOnDevice<T>::measure();                                            \
    template void SolveOnDevice<T>::adopt(index_t, index_t);                                                    \
    template void SolveOnDevice<T>::give_solutions(DenseView<T>, MemoryPlace, const ParallelFor&);              \
    template void SolveOnDevice<T>::substitute(index_t, Sweep);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
