// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/handle_memory.hpp"

#include "trace/read/fields.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

namespace frond::cli {
namespace {

/// One life of a handle; StarPU gives addresses again.
struct HandleLife {
    double from = 0, until = 0;
    double used_from = std::numeric_limits<double>::infinity();
    double bytes = 0;
};

using HandleLives = std::unordered_map<std::uint64_t, std::vector<HandleLife>>;

HandleLives lives_of(const std::vector<HandleEvent>& events, double last) {
    HandleLives lives;
    for (const HandleEvent& event : events) {
        std::vector<HandleLife>& of_handle = lives[event.handle];
        if (event.known)
            of_handle.push_back({event.time, last});
        else if (!of_handle.empty())
            of_handle.back().until = event.time;
    }
    return lives;
}

void count_access(HandleLives& lives, const RecordedAccess& access, double begin) {
    const auto found = lives.find(access.handle);
    if (found == lives.end() || found->second.empty()) return;
    const auto after = std::upper_bound(found->second.begin(), found->second.end(), begin,
                                        [](double time, const HandleLife& life) { return time < life.from; });
    HandleLife& life = after == found->second.begin() ? *after : *(after - 1);
    life.used_from = std::min(life.used_from, begin);
    life.bytes = std::max(life.bytes, access.bytes);
}

/// Adds the memory of one rank, whose node 0 has this number.
void add_memory(const std::vector<RecordedJob>& jobs, const std::vector<HandleEvent>& events, int rank, int place,
                double last, std::vector<MemorySample>& samples) {
    std::vector<HandleEvent> mine;
    std::copy_if(events.begin(), events.end(), std::back_inserter(mine),
                 [rank](const HandleEvent& event) { return event.rank == rank; });
    HandleLives lives = lives_of(mine, last);
    for (const RecordedJob& job : jobs)
        if (job.ended && job.rank == rank)
            for (const RecordedAccess& access : job.accesses) count_access(lives, access, job.task.begin);
    std::vector<std::pair<double, double>> changes;
    for (const auto& [handle, of_handle] : lives)
        for (const HandleLife& life : of_handle) {
            if (life.bytes <= 0 || life.used_from >= life.until) continue;
            changes.emplace_back(life.used_from, life.bytes);
            changes.emplace_back(life.until, -life.bytes);
        }
    std::sort(changes.begin(), changes.end());
    double bytes = 0;
    for (const auto& [time, change] : changes) samples.push_back({place, time, bytes += change});
}

}  // namespace

std::vector<MemorySample> memory_of_handles(const std::vector<RecordedJob>& jobs,
                                            const std::vector<HandleEvent>& events, const std::vector<int>& nodes,
                                            double last) {
    std::vector<MemorySample> samples;
    for (std::size_t place = 0; place < nodes.size(); ++place)
        if (nodes[place] % ranked_number(1, 0) == 0)
            add_memory(jobs, events, nodes[place] / ranked_number(1, 0), static_cast<int>(place), last, samples);
    std::stable_sort(samples.begin(), samples.end(),
                     [](const MemorySample& a, const MemorySample& b) { return a.time < b.time; });
    return samples;
}

}  // namespace frond::cli
