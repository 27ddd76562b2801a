// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/matrix/operations.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// Runs chunks of host work as tasks on the session's workers; on the caller's thread while they rest. The session must
/// be inside a job, and outlive it.
/// purpose: what the loops are for, unless a LoopPurpose says it; of static storage.
ParallelFor parallel_for_on(SessionState& session, const char* purpose);
/// A loop for use outside of jobs: each call is a job. The session must outlive it.
ParallelFor parallel_for_outside_jobs(SessionState& session, const char* purpose);

}  // namespace frond::detail
