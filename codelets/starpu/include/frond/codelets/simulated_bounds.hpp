// SPDX-License-Identifier: BSD-3-Clause
// What bounds the time of the simulated tasks of a factorization from below, whatever the scheduler does.
#pragma once

#include <map>
#include <string>

#include "frond/base/types.hpp"

struct starpu_task;

namespace frond {

/// All tasks of one kind that may run on the same kinds of workers.
struct SimulatedWork {
    count_t tasks = 0;
    double core_seconds = 0, card_seconds = 0;  // of all of them there; below 0: they cannot run there
};

struct SimulatedBounds {
    count_t tasks = 0;
    double path_seconds = 0;  // of the longest chain of tasks that wait for each other, each where it is quickest
    double submit_seconds = 0;  // of the thread that submits
    std::map<std::string, SimulatedWork> work;  // by kind
};

/// Notes a task that is complete and will be submitted next. Data that tasks share order them as they were submitted.
/// Where StarPU simulates; one thread submits.
void note_simulated_task(starpu_task& task, const char* kind, double submit_seconds);

/// The bounds of all tasks since the last call, which are then forgotten. Between jobs.
SimulatedBounds take_simulated_bounds();

}  // namespace frond
