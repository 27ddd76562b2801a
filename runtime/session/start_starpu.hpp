// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/session.hpp"
#include "session/worker_binding.hpp"

#include <string>

namespace frond::detail {

/// Starts StarPU with its workers, on cores of their own or not; expect_startable has been called,
/// and StarPU does not run. gpus: those that Frond's tasks are to use. Not thread-safe: see
/// ScopedEnvironment.
/// @throws RuntimeError  StarPU did not start, or no folder takes its files
WorkerBinding start_starpu(const SessionOptions& options, const std::string& scheduler,
                           index_t gpus);

/// status: what starpu_init gave. @throws RuntimeError
void expect_started(int status);

} // namespace frond::detail
