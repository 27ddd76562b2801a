// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run/run_facts.hpp"
#include "trace/recording.hpp"

#include <string>

namespace frond::cli {

/// The page and its files, in the recording's folder, of a run that has ended: of StarPU, too. What an older run left there
/// stays until there is something to put in its place. complete: the run came to its end. Returns lines for people.
/// @throws RuntimeError  nothing was recorded, no room, or the trace is not whole
std::string convert_and_write(Recording& recording, const std::string& tool, const RunFacts& facts, bool complete);

}  // namespace frond::cli
