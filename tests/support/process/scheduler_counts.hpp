// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <string>

namespace frond::test {

struct SchedulerCounts {
    long pushed = -1, popped = -1;  // -1: nothing was said
};

/// What the scheduler of docs/examples/09_scheduler.cpp says at its end.
inline SchedulerCounts scheduler_counts(const std::string& text) {
    SchedulerCounts counts;
    const std::size_t begin = text.find("most_urgent: ");
    if (begin != std::string::npos)
        static_cast<void>(std::sscanf(text.c_str() + begin, "most_urgent: %ld tasks pushed, %ld popped", &counts.pushed,
                                      &counts.popped));
    return counts;
}

}  // namespace frond::test
