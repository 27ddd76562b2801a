// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "factors/held_factors.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/gpu/resident_solve.hpp"
#include "frond/solver.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

template <class T>
class FactorsState;

/// What solves on the device need of an analysis and its matrices' pattern; shared by all its factors.
class SolveTables {
public:
    /// Those of the analysis, kept while it lives (and until the next call: a solver drops its old factors before
    /// it makes new ones).
    static std::shared_ptr<SolveTables> of(const std::shared_ptr<const Analysis>& analysis);

    const std::shared_ptr<const gpu::ResidentPlan>& plan() const noexcept { return plan_; }
    /// Of the matrix, or of its transpose. Made when first asked for. The analysis must live.
    std::shared_ptr<const gpu::SystemPattern> pattern(const Pattern& pattern, Symmetry symmetry, bool transposed);

private:
    std::weak_ptr<const Analysis> analysis_;
    std::shared_ptr<const gpu::ResidentPlan> plan_;
    std::mutex mutex_;  // of the patterns
    std::shared_ptr<const gpu::SystemPattern> pattern_, transposed_;
};

/// Factors held on the session's device for solves there, from the first such solve until the factors go or
/// another factorization of the session begins; what was made for that is left to the session, for the next factors of
/// the analysis. Reading access keeps StarPU from evicting them; a solve by
/// tasks on the host may go on meanwhile.
template <class T>
class DeviceSolve final : public DeviceHold {
public:
    explicit DeviceSolve(const FactorsState<T>& state);
    DeviceSolve(const DeviceSolve&) = delete;
    DeviceSolve& operator=(const DeviceSolve&) = delete;
    ~DeviceSolve();

    /// Makes what needs no factors, unless factors of the same analysis had it; to be called beside the factorization's
    /// last tasks. Solves make what is missing. False: solves will run on the host.
    bool prepare();

    /// Empty when such a solve can run on the device, else the reason why not.
    std::string why_not(const SolveOptions& options) const;
    /// Estimated to be quicker there than on the host. Only when it can run there.
    bool pays() const;

    /// The factors on the device with room for some of `rhs` right-hand sides, locked for the caller; null
    /// while another thread solves with them, or a factorization of the session or the factors that others hold
    /// leave no room. Inside a job. @throws DeviceError
    class Lease {
    public:
        gpu::ResidentSolve<T>* get() const noexcept { return solve_; }

    private:
        friend DeviceSolve;
        std::unique_lock<std::mutex> lock_;
        gpu::ResidentSolve<T>* solve_ = nullptr;
    };
    Lease lease(index_t rhs);
    /// Under a lease: what follows is of op(A), which goes to the device unless it is there. @throws DeviceError
    void send_system(gpu::ResidentSolve<T>& solve, Operation op);
    /// What of that the factors alone need.
    void choose(gpu::ResidentSolve<T>& solve, Operation op);
    /// Holds the factors on the device, and sends the matrix. Seconds it took; 0: it cannot be, or there is no room.
    /// Outside a job.
    double presolve();

    /// The session keeps what factors of the same analysis can use.
    void release_device() override;
    /// After an error: all of it goes.
    void abandon();
    count_t device_bytes() const noexcept override { return std::max<count_t>(held_bytes_, home_bytes_); }
    /// The factors have their home on the device.
    void set_home_bytes(count_t bytes) noexcept { home_bytes_ = bytes; }

private:
    gpu::PlacedFactors<T> place();
    void make_solve(index_t rhs);
    bool use_spare_solve();
    void leave_to_session() noexcept;
    void let_go() noexcept;
    index_t rhs_that_fit(count_t others) const;

    const FactorsState<T>& state_;
    std::optional<gpu::Device> device_;
    std::shared_ptr<SolveTables> tables_;
    gpu::ResidentBytes bytes_{};
    std::string unfit_;  // why not, whatever the options and the pivots
    std::mutex mutex_;
    std::optional<HeldFactors<T>> held_;
    count_t solve_bytes_ = 0;  // of solve_, without its system
    std::atomic<count_t> held_bytes_{0}, home_bytes_{0};
    std::unique_ptr<gpu::ResidentSolve<T>> solve_;
};

}  // namespace frond::detail
