// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "candidates.hpp"
#include "frond/session.hpp"
#include "tune_clock.hpp"

namespace frond::cli {

/// What the tuning of a session with so many cards starts from: a dense matrix is factored with tiles of several orders,
/// and small problems for what tasks cost. `clock`: a tenth of its time is used, once each size has been measured.
Measurements measure_machine(const SessionOptions& session, const TuneClock& clock);

}  // namespace frond::cli
