// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "measurement.hpp"
#include "test_system.hpp"

#include <functional>

namespace frond::bench {

/// What the steps of a peer are measured on.
struct SystemUnderTest {
    std::function<void(int)> change;  // other values, the `round`-th; empty: always the same
    std::function<LargestErrors()> errors;  // of X as it is
    std::function<std::unique_ptr<Peer>()> from_scratch;  // a peer of the present values; empty: not compared
};

/// Start, analysis, and pairs of a factorization and its first solve, by the wall clock around each
/// call; with other values before every pair but the first. Into `result`, as measure_here() says.
/// `before`: bytes that the process held before the solver was made.
void time_steps(Peer& peer, const RunRequest& request, const SystemUnderTest& system, double before,
                nlohmann::json& result);

}  // namespace frond::bench
