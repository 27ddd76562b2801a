// SPDX-License-Identifier: BSD-3-Clause
// What differs where StarPU-SimGrid simulates: no body of a task runs, and time is that of the simulated machine. All
// threads of StarPU are then turns of one thread, which changes only where StarPU or SimGrid waits.
#pragma once

#include <starpu.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#ifdef STARPU_SIMGRID
#include "frond/codelets/simulated_time.hpp"
#endif

namespace frond {

#ifdef STARPU_SIMGRID

inline constexpr bool is_simulation = true;

/// The clock of the simulated machine, or of the ranks that are simulated instead.
struct RunClock {
    using duration = std::chrono::duration<double>;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<RunClock>;
    static constexpr bool is_steady = true;

    static time_point now() noexcept {
        const SimulatedTime* const ranks = SimulatedTime::running();
        return time_point(duration(starpu_timing_now() * 1e-6 + (ranks != nullptr ? ranks->now() : 0)));
    }
};

/// There is one thread. A lock of the system would be kept while another turn asks for it.
struct RunMutex {
    void lock() noexcept {}
    void unlock() noexcept {}
};

/// Waits in simulated time.
class RunCondition {
public:
    RunCondition() {
        starpu_pthread_mutex_init(&mutex_, nullptr);
        starpu_pthread_cond_init(&changed_, nullptr);
    }
    RunCondition(const RunCondition&) = delete;
    RunCondition& operator=(const RunCondition&) = delete;
    ~RunCondition() {
        starpu_pthread_cond_destroy(&changed_);
        starpu_pthread_mutex_destroy(&mutex_);
    }

    void notify_all() noexcept {
        ++notes_;
        if (SimulatedTime* const ranks = SimulatedTime::running()) return ranks->wake(this);
        starpu_pthread_cond_broadcast(&changed_);
    }
    template <class Ready>
    void wait(std::unique_lock<RunMutex>&, Ready ready) {
        while (!ready()) wait_for_note(notes_);
    }
    /// Until it is ready, however long that takes.
    template <class Time, class Ready>
    bool wait_for(std::unique_lock<RunMutex>& lock, Time, Ready ready) {
        wait(lock, ready);
        return true;
    }

private:
    void wait_for_note(std::uint64_t seen) {
        if (SimulatedTime* const ranks = SimulatedTime::running()) {
            while (notes_ == seen) ranks->wait(this);
            return;
        }
        starpu_pthread_mutex_lock(&mutex_);
        while (notes_ == seen) starpu_pthread_cond_wait(&changed_, &mutex_);
        starpu_pthread_mutex_unlock(&mutex_);
    }

    std::uint64_t notes_ = 0;
    starpu_pthread_mutex_t mutex_;
    starpu_pthread_cond_t changed_;
};

#else

inline constexpr bool is_simulation = false;
using RunClock = std::chrono::steady_clock;
using RunMutex = std::mutex;
using RunCondition = std::condition_variable;

#endif

/// Lets processor time of the calling thread pass: of a worker on its core, else on what core there is. Where StarPU
/// simulates.
void take_core(double seconds);

}  // namespace frond
