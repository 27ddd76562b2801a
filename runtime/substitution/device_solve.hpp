// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "factors/held_factors.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/solver.hpp"
#include "session/session_state.hpp"
#include "substitution/device_fit.hpp"
#include "substitution/solve_tables.hpp"

namespace frond::detail {

template <class T>
class FactorsState;

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

    /// Makes what needs no factors, unless factors of the same analysis had it; to be called during the factorization's
    /// last tasks. Solves make what is missing. False: solves will run on the host.
    bool prepare();

    /// Empty when such a solve can run on the device, else the reason why not.
    std::string why_not(const SolveOptions& options) const { return fit_.why_not(options); }
    /// True: a solve is estimated to be quicker on the device than on the host. Asked only if it can run there.
    bool pays() const { return fit_.pays(); }
    /// True: the last request for a lease got none, so that the plan of a factorization stays.
    bool waits_for_solves() const noexcept { return waits_; }

    /// The factors on the device with room for some of `rhs` right-hand sides, locked for the caller; null
    /// while another thread solves with them, or a factorization of the session or the factors that others hold
    /// leave no room. Where there is room only without the plan of a factorization that the session keeps, that goes at the
    /// third request, or, with place = device and in deterministic runs, at once: see decision 50. Inside a job.
    /// @throws DeviceError
    class Lease {
    public:
        gpu::ResidentSolve<T>* get() const noexcept { return solve_; }

    private:
        friend DeviceSolve;
        std::unique_lock<std::mutex> lock_;
        gpu::ResidentSolve<T>* solve_ = nullptr;
    };
    Lease lease(index_t rhs, SolvePlace place);
    /// Under a lease: sends op(A) to the device unless it is there; the following calls use it. @throws DeviceError
    void send_system(gpu::ResidentSolve<T>& solve, Operation op);
    /// Chooses op for the factors alone, without sending A.
    void choose(gpu::ResidentSolve<T>& solve, Operation op);
    /// Under a lease: runs `body`, which lets the device work for so many right-hand sides, as one task (see
    /// run_on_device).
    void run(index_t rhs, const std::function<void()>& body) const;
    /// Runs one of the two sweeps in the same way.
    void run_sweep(index_t rhs, const std::function<void()>& body) const;
    /// Holds the factors on the device, and sends the matrix. Returns the seconds it took; 0: it cannot be, or there is
    /// no room. Outside a job.
    double presolve();

    /// For substitutions by several ranks, which wait for other ranks between their sweeps, and of which several may run at
    /// once: the factors on the device, until as many calls of end_use(). Meanwhile nobody gets the room, since who waited
    /// for it would wait for other ranks, too. Each sweep is a run_sweep(). Null: as in lease(). Inside a job.
    /// @throws DeviceError
    gpu::ResidentSolve<T>* begin_use(index_t rhs, Operation op);
    /// is_broken: a sweep has failed, so all of it goes after the last use.
    void end_use(bool is_broken) noexcept;
    /// The factors leave the device for pinned memory of the host. False: they are in use, or the host has no room.
    /// @throws OutOfMemory, DeviceError
    bool leave_device();
    void wait_until_unused();

    /// The session keeps what factors of the same analysis can use.
    void release_device() override;
    void store_factors(const std::atomic<bool>* cancel) override;
    /// After an error: all of it goes.
    void abandon();
    count_t device_bytes() const noexcept override;
    /// True: the home node of the factors is the device.
    void set_home_bytes(count_t bytes) noexcept;

private:
    gpu::PlacedFactors<T> place();
    void make_solve(index_t rhs);
    void prepare_on_device(const std::function<void()>& body) const;
    bool use_spare_solve();
    bool wait_for_more_solves(SolvePlace place);
    void leave_to_session() noexcept;
    void let_go() noexcept;

    const FactorsState<T>& state_;
    std::optional<gpu::Device> device_;
    std::shared_ptr<SolveTables> tables_;
    DeviceFit<T> fit_;
    std::atomic<index_t> requests_{0};  // of leases for which the plan of a factorization would have to go
    std::atomic<bool> waits_{false};
    std::mutex mutex_;
    std::condition_variable unused_;
    index_t uses_ = 0;
    bool is_broken_ = false;  // what is in use
    std::optional<HeldFactors<T>> held_;
    count_t solve_bytes_ = 0;  // of solve_, without its system
    std::atomic<count_t> held_bytes_{0};
    std::unique_ptr<gpu::ResidentSolve<T>> solve_;
};

}  // namespace frond::detail
