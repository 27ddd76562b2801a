// SPDX-License-Identifier: BSD-3-Clause
#include "card_shares.hpp"

#include "frond/codelets/card_clock.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace frond::cli {
namespace {

struct Event {
    double time = 0;
    bool begins = false;
    std::size_t job = 0;

    /// What ends does so before what begins in the same moment.
    bool operator<(const Event& other) const { return std::pair(time, begins) < std::pair(other.time, other.begins); }
};

void share_card(std::vector<Event>& events, std::vector<double>& seconds) {
    std::sort(events.begin(), events.end());
    CardClock clock;
    for (const Event& event : events)
        seconds[event.job] += event.begins ? -clock.begin(event.time) : clock.end(event.time);
}

}  // namespace

std::vector<double> seconds_of_jobs(const std::vector<RecordedJob>& jobs) {
    std::vector<double> seconds(jobs.size(), 0);
    std::map<int, std::vector<Event>> cards;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const RecordedJob& job = jobs[j];
        if (!is_task(job)) continue;
        if (!is_on_card(job)) {
            seconds[j] = job.task.seconds();
            continue;
        }
        // What ends with its begin takes no time, and would end before it began.
        if (!(job.task.end > job.task.begin)) continue;
        cards[job.memory_node].push_back({job.task.begin, true, j});
        cards[job.memory_node].push_back({job.task.end, false, j});
    }
    for (auto& [node, events] : cards) share_card(events, seconds);
    return seconds;
}

}  // namespace frond::cli
