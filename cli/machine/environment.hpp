// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::cli {

/// A line on standard error for each variable FROND_... that is neither an option nor read by the scripts,
/// the build or the tests: a misspelt one would go unnoticed.
void warn_of_unknown_variables();

/// Takes what describes the machine that the process runs on out of the environment of this process and its children,
/// with a line on standard error for each: simulated machines are as their files say.
void leave_out_machine_variables();

}  // namespace frond::cli
