// SPDX-License-Identifier: BSD-3-Clause
// What the system takes for memory that nobody has written before.
#pragma once

#include "frond/codelets/time_models.hpp"

namespace frond::cli {

/// Seconds of a byte: the first time that a block is filled, less the second time, on all cores at once; the median of
/// several blocks, processor time of each thread. Cost: some 0.1 s and 64 MiB for each core.
/// @throws OutOfMemory
TimeModel measure_new_memory();

}  // namespace frond::cli
