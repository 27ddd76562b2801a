// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/session.hpp"

#include <string>

namespace frond::cli {

/// A line on standard error for each variable FROND_... that is neither an option nor read by the scripts,
/// the build or the tests: a misspelt one would go unnoticed.
void warn_of_unknown_variables();

/// Takes what describes the machine that the process runs on out of the environment of this process and its children,
/// with a line on standard error for each: simulated machines are as their files say.
void leave_out_machine_variables();

/// Starts the program again, once, with OPENBLAS_CORETYPE set, when OpenBLAS has chosen kernels
/// that do not suit the processor: OpenBLAS chooses when it is loaded, so this process cannot
/// change it. Does nothing when the user has set OPENBLAS_CORETYPE. Returns only when the program
/// goes on as it is; blas_choice_text() reports a start that failed.
void restart_with_suitable_blas_kernels(char** argv);

/// Who chose the kernels and why, one line.
std::string blas_choice_text();

/// A line on standard error where the user's tuning could not be taken; nothing else is wrong with the session.
void warn_of_tuning(const SessionInfo& session);

}  // namespace frond::cli
