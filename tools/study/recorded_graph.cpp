// SPDX-License-Identifier: BSD-3-Clause
#include "recorded_graph.hpp"

#include "frond/base/error.hpp"
#include "frond/codelets/card_clock.hpp"
#include "terminal/table.hpp"
#include "trace/read/recorded_jobs.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <unordered_map>
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

namespace {

using PlaceOf = std::unordered_map<std::int64_t, std::size_t>;

void expect_whole_graph(const std::vector<RecordedJob>& jobs, const std::string& file) {
    const auto tasks = std::count_if(jobs.begin(), jobs.end(), is_task);
    if (tasks == 0) throw InvalidArgument(file + ": it has no tasks; make one by frond trace A.mtx -o DIR");
    const auto open = std::count_if(jobs.begin(), jobs.end(), [](const auto& j) { return is_task(j) && !j.ended; });
    if (open > 0)
        throw InvalidArgument(fmt::format("{}: {} of {} did not end, as the run was interrupted; trace it again", file,
                                          open, counted(tasks, "task")));
}

/// Tasks that do the same work: their kind, footprint and operations.
using SameWork = std::tuple<std::string, std::uint64_t, double>;

SameWork work_of(const RecordedJob& job) {
    return {job.task.name.substr(0, job.task.name.find(' ')), job.task.footprint, job.task.flops};
}

/// Means of the times of the same work, on cores and on cards.
class MeanTimes {
public:
    explicit MeanTimes(const std::vector<RecordedJob>& jobs) : jobs_(jobs), seconds_(seconds_of_jobs(jobs)) {
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            if (!is_task(jobs[j])) continue;
            Sum& sum = sums_[is_on_card(jobs[j])][work_of(jobs[j])];
            sum.seconds += seconds_[j];
            ++sum.count;
        }
    }

    std::optional<double> of(std::size_t j, bool on_card) const {
        const RecordedJob& job = jobs_[j];
        if (is_on_card(job) == on_card) return seconds_[j];
        const auto found = sums_[on_card].find(work_of(job));
        if (found == sums_[on_card].end()) return std::nullopt;
        return found->second.seconds / static_cast<double>(found->second.count);
    }

private:
    struct Sum {
        double seconds = 0;
        std::int64_t count = 0;
    };
    const std::vector<RecordedJob>& jobs_;
    std::vector<double> seconds_;
    std::array<std::map<SameWork, Sum>, 2> sums_;
};

/// Tasks that a job waits for, through jobs that only pass the order on.
class Waits {
public:
    Waits(const std::vector<RecordedJob>& jobs, const PlaceOf& job_places, const PlaceOf& task_places)
        : jobs_(jobs), job_places_(job_places), task_places_(task_places), seen_(jobs.size(), 0) {}

    std::vector<std::size_t> of(const RecordedJob& job) {
        ++round_;
        std::vector<std::size_t> found;
        std::vector<std::int64_t> open = job.depends_on;
        while (!open.empty()) {
            const std::int64_t number = open.back();
            open.pop_back();
            const auto place = job_places_.find(number);
            if (place == job_places_.end() || seen_[place->second] == round_) continue;
            seen_[place->second] = round_;
            if (const auto task = task_places_.find(number); task != task_places_.end())
                found.push_back(task->second);
            else
                open.insert(open.end(), jobs_[place->second].depends_on.begin(), jobs_[place->second].depends_on.end());
        }
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    const std::vector<RecordedJob>& jobs_;
    const PlaceOf &job_places_, &task_places_;
    std::vector<std::size_t> seen_;
    std::size_t round_ = 0;
};

}  // namespace

double RecordedGraph::flops() const {
    double sum = 0;
    for (const GraphTask& task : tasks) sum += task.flops;
    return sum;
}

RecordedGraph read_recorded_graph(const std::string& file) {
    std::vector<RecordedJob> jobs = read_recorded_jobs(file);
    if (is_unfinished(file))
        throw InvalidArgument(file +
                              ": the run that it is from was interrupted or failed, and its last tasks did nothing; "
                              "trace one that comes to its end");
    expect_whole_graph(jobs, file);
    std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) { return a.task.job < b.task.job; });
    PlaceOf job_places, task_places;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        job_places[jobs[j].task.job] = j;
        if (is_task(jobs[j])) task_places.emplace(jobs[j].task.job, task_places.size());
    }
    Waits waits(jobs, job_places, task_places);
    const MeanTimes times(jobs);
    RecordedGraph graph;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const RecordedJob& job = jobs[j];
        if (!is_task(job)) continue;
        graph.tasks.push_back({job.task.job, job.task.name, static_cast<int>(job.task.priority), times.of(j, false),
                               times.of(j, true), job.task.flops, waits.of(job), job.accesses});
        graph.has_cards = graph.has_cards || is_on_card(job);
    }
    return graph;
}

}  // namespace frond::cli
