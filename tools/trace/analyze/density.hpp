// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/analyze/curves.hpp"

#include <cstdint>
#include <vector>

namespace frond::cli {

/// A level of detail: the workers' time in equal parts. [worker * parts + part]
struct DensityLevel {
    int parts = 0;
    std::vector<std::uint8_t> kind;  // of which the part has most; none: 255
    std::vector<std::uint8_t> busy;  // share of the part that is in tasks, 0 .. 255
};

/// Levels for a trace from 0 to `end`: 1024 parts, 4096 and 16384, as long as a worker has more tasks than parts on
/// average; all of them where tasks are missing next to them.
std::vector<DensityLevel> density_levels(const Trace& trace, double end, bool tasks_missing);

}  // namespace frond::cli
