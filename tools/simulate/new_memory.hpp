// SPDX-License-Identifier: BSD-3-Clause
// What the system takes for memory that nobody has written before.
#pragma once

#include "frond/codelets/time_models.hpp"

#include <vector>

namespace frond::cli {

/// For one problem, the tasks that write new memory, when all of it is new and when none is.
struct NewMemory {
    double first_seconds = 0, later_seconds = 0;  // of all these tasks
    double bytes = 0;  // that were new the first time
};

/// Seconds of the tasks that are the first to write a block of memory (task.hpp, `new_bytes`).
double seconds_of_first_writers(const TimeSamples& samples);

/// The median over the problems, weighted by their bytes, of (first_seconds - later_seconds) / bytes, as seconds of a byte; 0:
/// no bytes were new, or half of them took no longer the first time. A median, since a virtual machine takes several times
/// as long for pages that its host has to give it first. Measured in factorizations, since pages are cleared more slowly
/// while products run than in a loop that fills memory.
TimeModel new_memory_model(std::vector<NewMemory> problems);

}  // namespace frond::cli
