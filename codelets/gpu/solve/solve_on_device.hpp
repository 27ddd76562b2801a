// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "device_memory.hpp"
#include "event.hpp"
#include "queue.hpp"
#include "solve/device_system.hpp"
#include "solve/device_substitution.hpp"
#include "solve/device_system.hpp"
#include "solve/diagonal_inverses.hpp"

namespace frond::gpu {

/// Factors with their lists, inverses and vectors on one device. What it keeps and when it is made anew is in
/// resident_solve.cpp, a solve with its refinement in refine_on_device.cpp, branches of a larger tree in sweep_branches.cpp.
template <class T>
class SolveOnDevice final : public ResidentSolve<T> {
public:
    SolveOnDevice(int number, unsigned memory_node, PlacedFactors<T>&& placed, index_t most_rhs);
    ~SolveOnDevice() override;

    index_t largest_rhs() const noexcept override { return largest_rhs_; }
    void use(PlacedFactors<T> placed) override;
    bool leave_factors() noexcept override;
    void grow(index_t rhs) override;
    count_t system_bytes() const noexcept override;
    void choose(Operation wanted) override;
    void follow(const CallersStream& stream) override;
    T* host_vectors() override;
    void solve(index_t rhs) override;
    void reserve_copies() override;
    void forward(const BranchVectors<T>& vectors, const ParallelFor& parallel_for) override;
    void backward(const BranchVectors<T>& vectors, const ParallelFor& parallel_for) override;

    bool has_system() const noexcept override { return system() != nullptr && system()->is_set; }
    void set_system(const SystemByRows<T>& given, const ParallelFor& parallel_for) override;
    double norm() const noexcept override { return system()->norm; }
    void take_right_hand_sides(DenseView<const T> given, MemoryPlace place, const ParallelFor& parallel_for) override;
    void correct(bool first) override;
    std::vector<ResidualSizes> measure() override;
    double correction_seconds() const override { return corrected_.seconds_after(correcting_); }
    void adopt(index_t q, index_t count) override;
    void give_solutions(DenseView<T> given, MemoryPlace place, const ParallelFor& parallel_for) override;

private:
    using S = DeviceScalar<T>;

    void invert(bool have_moved);
    void make_room(index_t rhs);
    void make_refinement();
    bool drain() noexcept;
    std::unique_ptr<DeviceSubstitution<T>> substitution(bool with_transpose) const;
    void substitute(index_t rhs, Sweep sweep = Sweep::both);
    void copy_outside(S* to, count_t to_ld, const S* from, count_t from_ld, index_t rhs) const;
    void wait() const { check(FROND_GPU(StreamSynchronize)(queue_.stream()), "solving on the device"); }

    std::unique_ptr<DeviceSystem<T>>& system() { return systems_[static_cast<std::size_t>(op_)]; }
    const std::unique_ptr<DeviceSystem<T>>& system() const { return systems_[static_cast<std::size_t>(op_)]; }
    const SystemView<S>& view() const { return system()->view; }

    std::optional<CurrentDevice> at_end_;  // until all below is gone
    int device_;
    unsigned node_;
    PlacedFactors<T> factors_;  // without their pivot order, which is on the device
    Factorization kind_;
    Operation op_ = Operation::none;
    index_t n_, largest_rhs_ = 0;  // rows of x: those of the tree, and those outside
    Queue queue_;
    std::unique_ptr<PinnedMemory<T>> host_;
    StagedCopies staged_;
    TimedEvent correcting_, corrected_;
    DeviceMemory<S> front_rows_, x_, w_;
    std::optional<DeviceRows> rows_;  // there from the constructor on
    std::unique_ptr<DiagonalInverses<T>> inverses_;
    SolveVectors<S> vectors_{};
    std::unique_ptr<DeviceSubstitution<T>> plain_, transposed_;
    std::unique_ptr<DeviceRefinement<T>> refinement_;
    std::array<std::unique_ptr<DeviceSystem<T>>, 3> systems_;  // by operation
};

}  // namespace frond::gpu
