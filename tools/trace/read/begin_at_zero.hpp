// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/records.hpp"

namespace frond::cli {

/// Moves all times, so that the first task or phase begins at 0, and drops what ended before it.
void begin_at_zero(Trace& trace);

}  // namespace frond::cli
