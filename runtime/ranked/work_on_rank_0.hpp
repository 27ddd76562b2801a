// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>

#include "ranks/communicator.hpp"

namespace frond::detail {

/// work(stop) on rank 0, while the others wait without using their core. `stop` is set when the `cancel` (or null) of any
/// rank is. Collective. @throws what work throws, on all ranks
void work_on_rank_0(Communicator& ranks, const std::atomic<bool>* cancel,
                    const std::function<void(const std::atomic<bool>* stop)>& work);

}  // namespace frond::detail
