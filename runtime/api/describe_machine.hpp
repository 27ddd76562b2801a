// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/options.hpp"
#include "frond/codelets/rates.hpp"

namespace frond::detail {

/// So many cores, and so many devices, at these rates.
MachineDescription describe_machine(index_t cores, index_t devices, const Rates& rates);

} // namespace frond::detail
