// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arguments/command_line.hpp"
#include "tune_clock.hpp"

namespace frond::cli {

/// frond tune MATRIX...: the tuning that is kept for this machine against the defaults, on the matrices of the command
/// line, in turns. Changes nothing. Returns the exit code.
/// @throws InvalidArgument  no tuning is kept for this machine
int compare_kept(const CommandLine& line, const TuneClock& clock, const SessionInfo& session);

}  // namespace frond::cli
