// SPDX-License-Identifier: BSD-3-Clause
#include "new_memory.hpp"

#include <algorithm>

namespace frond::cli {

double seconds_of_first_writers(const TimeSamples& samples) {
    double sum = 0;
    for (const auto& [kind, some] : samples)
        if (kind.starts_with("assemble_tile") || kind.starts_with("factor_subtree") || kind.starts_with("solve_panel"))
            for (const TimeSample& s : some) sum += s.seconds;
    return sum;
}

TimeModel new_memory_model(std::vector<NewMemory> problems) {
    std::erase_if(problems, [](const NewMemory& p) { return !(p.bytes > 0); });
    const auto byte_seconds = [](const NewMemory& p) { return (p.first_seconds - p.later_seconds) / p.bytes; };
    std::sort(problems.begin(), problems.end(),
              [&](const NewMemory& a, const NewMemory& b) { return byte_seconds(a) < byte_seconds(b); });
    double bytes = 0, half = 0;
    for (const NewMemory& p : problems) half += p.bytes / 2;
    TimeModel model;
    for (const NewMemory& p : problems) {
        bytes += p.bytes;
        if (bytes < half) continue;
        model.per_term[1] = std::max(0.0, byte_seconds(p));
        break;
    }
    return model;
}

}  // namespace frond::cli
