// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run/run_facts.hpp"
#include "trace/page/page_data.hpp"
#include "trace/recording.hpp"

#include <string>

namespace frond::cli {

/// The trace in tasks.rec and paje.trace of the folder, whoever recorded it, as trace.html and tasks.csv in the folder `to`,
/// where it is empty next to them.
/// analysis: null where it is not known. factor_tasks: as many tasks the last factorization had, all of which must be
/// there, as must the ends of all phases; 0: the run may be incomplete. Returns lines for people: tasks, bounds and efficiency of the main phase.
/// @throws InvalidArgument  the trace has no tasks, or cannot be read
/// @throws RuntimeError  no room; the trace is not whole
std::string write_trace(const std::string& folder, const PageTitle& title, const Analysis* analysis,
                        count_t factor_tasks = 0, std::string to = {});

/// The page and its files, in the recording's folder, of a run that has ended: of StarPU, too. What an older run left there
/// stays until there is something to put in its place. complete: the run came to its end. Returns lines for people.
/// @throws RuntimeError  nothing was recorded, no room, or the trace is not whole
std::string convert_and_write(Recording& recording, const std::string& tool, const RunFacts& facts, bool complete);

}  // namespace frond::cli
