// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/session.hpp"
#include "session/workers/worker_binding.hpp"

#include <starpu.h>

#include <string>
#include <vector>

namespace frond::detail {

/// StarPU's reference of a session that comes to be: given back unless all else succeeds, too. Else
/// the next session would take it for the application's.
class StartedStarpu {
public:
    StartedStarpu() = default;
    StartedStarpu(const StartedStarpu&) = delete;
    StartedStarpu& operator=(const StartedStarpu&) = delete;
    ~StartedStarpu();

    /// conf: null to join those that use StarPU already. @throws RuntimeError
    void start(starpu_conf* conf);
    void pause() noexcept;
    void release() noexcept;

private:
    bool running_ = false;
    bool paused_ = false;
};

/// StarPU chooses devices for the calling thread; here its own stays.
void shut_down_starpu();

/// What StarPU is to start with.
struct StarpuPlan {
    const SessionOptions& options;
    std::string scheduler;
    std::vector<int> gpus;  // those that Frond's tasks are to use, as the vendor's runtime numbers them
    index_t workers_per_card = 0;  // 0: Frond chooses
    bool bind_workers = true;  // false: the system places them, unless StarPU's variables say otherwise
};

/// Workers of cores that StarPU would start without cards; below 1: that is not known before, or it would refuse.
index_t planned_cpu_workers(const SessionOptions& options);
/// A variable asks StarPU for a trace, which begins when StarPU does.
bool will_be_traced();
/// This build simulates: the clock is StarPU's.
bool starts_simulation();

/// Starts StarPU with its workers, on cores of their own or not; expect_startable has been called,
/// and StarPU does not run. Not thread-safe: see ScopedEnvironment.
/// @throws RuntimeError  StarPU did not start, or no folder takes its files
WorkerBinding start_starpu(const StarpuPlan& plan, StartedStarpu& started);

}  // namespace frond::detail
