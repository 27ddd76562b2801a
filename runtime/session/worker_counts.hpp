// SPDX-License-Identifier: BSD-3-Clause
// How many workers cores and cards have.
#pragma once

#include "frond/base/types.hpp"

namespace frond::detail {

// cores: those that the process may use (frond/base/usable_cores.hpp); 0: unknown.

/// Several workers a card, each on a thread of its own, keep several streams busy, where a core is left for the caller
/// and one for its tasks.
index_t workers_of_card(index_t cores);

/// asked, but so many at most that workers of cards and the caller have cores, too: all of them poll while a job runs.
/// StarPU sees to the workers itself, but for the cores of the machine, not for those that the process may use.
index_t cpu_workers_beside_cards(index_t asked, index_t cards, index_t cores);

}  // namespace frond::detail
