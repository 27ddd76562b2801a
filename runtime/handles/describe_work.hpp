// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "handles/insert_task.hpp"

namespace frond::detail {

/// Sets what the time of the task follows, where times are recorded or simulated, and what it takes in a simulation.
void describe_work(TaskArguments& task, const starpu_codelet& codelet, std::span<const Access> accesses);

}  // namespace frond::detail
