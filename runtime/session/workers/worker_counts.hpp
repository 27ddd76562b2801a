// SPDX-License-Identifier: BSD-3-Clause
// How many workers cores and cards have.
#pragma once

#include "frond/base/types.hpp"

namespace frond::detail {

// cores: those that the process may use (frond/base/hardware.hpp); 0: unknown.

/// Several workers a card, each on a thread of its own, keep several streams busy, where a core is left for the caller
/// and one for its tasks.
index_t workers_of_card(index_t cores);

/// asked, but so many at most that workers of cards and the caller have cores, too: all of them poll while a job runs.
/// StarPU sees to the workers itself, but for the cores of the machine, not for those that the process may use.
index_t cpu_workers_beside_cards(index_t asked, index_t cards, index_t cores);

/// What the number of workers depends on.
struct WorkerFacts {
    index_t asked = 0;  // SessionOptions::cpu_workers; 0: none were asked for
    index_t by_variable = -1;  // STARPU_NCPU; -1: not set
    index_t reserved = 0;  // STARPU_RESERVE_NCPU: cores that StarPU leaves out; -1: it is not set
    index_t threads_per_core = 1;  // STARPU_NTHREADS_PER_CORE
    index_t cards = 0;
    index_t per_card = 0;  // threads for each, where a variable or the vendor decides; 0: Frond chooses
    index_t cores = 0;  // that the process may run on, each with all its hardware threads; 0: unknown
    index_t usable = 0;  // usable_cores(): hardware threads, and no more than a quota of processor time
    index_t most = 0;  // workers of cores that StarPU was built for
};

struct WorkerPlan {
    index_t cpu_workers = -1;  // for StarPU, which takes `reserved` off; -1: its choice, where the cores are unknown
    index_t reserved = 0;
    index_t threads = 0;  // at work at the same time, of cards and the caller, where a core is its own, too; 0: unknown
};

/// The option comes before the variables; without either, one worker a core, but no more than a quota allows, and of 16
/// cores or more one is left to the thread that submits. Cores are not left to StarPU to count where they are known: it
/// takes the whole machine for any set of cores that has gaps.
WorkerPlan plan_workers(const WorkerFacts& facts);

}  // namespace frond::detail
