// SPDX-License-Identifier: BSD-3-Clause
// Where a tuning is kept, and whether.
#pragma once

#include "arguments/command_line.hpp"
#include "tune_clock.hpp"
#include "tune_report.hpp"

#include <string>

namespace frond::cli {

/// What of the command line a session has that is measured.
SessionOptions session_to_tune(const CommandLine& line);

/// @throws InvalidArgument  a variable of StarPU is set that comes before a tuning: all runs would be alike
void expect_no_starpu_choices();

/// -o, else the file of this kind of machine in the user's folder.
/// @throws InvalidArgument  the environment names no such folder
std::string place_of_tuning(const CommandLine& line, const MachineKind& machine);
/// The user's folder, unless -o names a file. @throws InvalidArgument  it cannot be made
void make_folder_of_tunings(const CommandLine& line);

/// Writes facts.search.best where why_not is empty, else removes the tuning that was kept earlier, which would stay in
/// force. Fills in kept and outcome. @throws RuntimeError  the file cannot be written
void keep_or_leave(const std::string& why_not, TuneFacts& facts);

/// frond tune MATRIX...: the tuning that is kept for this machine against the defaults, on the matrices of the command
/// line, in turns. Changes nothing. Returns the exit code.
/// @throws InvalidArgument  no tuning is kept for this machine
int compare_kept(const CommandLine& line, const TuneClock& clock, const SessionInfo& session);

}  // namespace frond::cli
