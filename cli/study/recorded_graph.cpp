// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "replay.hpp"
#include "terminal/units.hpp"
#include "trace/read/recorded_jobs.hpp"
#include "trace/read/unfinished_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace frond::cli {
namespace {

using PlaceOf = std::unordered_map<std::int64_t, std::size_t>;

bool is_task(const RecordedJob& job) { return job.worker >= 0; }

void expect_whole_graph(const std::vector<RecordedJob>& jobs, const std::string& file) {
    const auto tasks = std::count_if(jobs.begin(), jobs.end(), is_task);
    if (tasks == 0) throw InvalidArgument(file + ": it has no tasks; make one by frond trace A.mtx -o DIR");
    const auto open = std::count_if(jobs.begin(), jobs.end(), [](const auto& j) { return is_task(j) && !j.ended; });
    if (open > 0)
        throw InvalidArgument(fmt::format("{}: {} of {} did not end, as the run was interrupted; trace it again", file,
                                          open, counted(tasks, "task")));
    for (const RecordedJob& job : jobs)
        if (is_task(job) && job.memory_node > 0)
            throw InvalidArgument(
                fmt::format("{}: job {}, {}, ran on a card, and nothing says how long a core takes; "
                            "trace a run with --gpus 0",
                            file, job.task.job, job.task.name));
}

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

/// Microseconds, to three digits, and no less than StarPU can tell from no time.
double time_class(const GraphTask& task, double core_speed) {
    const double microseconds = std::max(1e6 * task.seconds / core_speed, 1e-3);
    const double unit = std::pow(10.0, std::floor(std::log10(microseconds))) / 100;
    return std::round(microseconds / unit) * unit;
}

/// Their numbers, from 1 on: 0 would be a task without a footprint.
std::map<double, std::size_t> classes_of(const RecordedGraph& graph, double core_speed) {
    std::map<double, std::size_t> classes;
    for (const GraphTask& task : graph.tasks) classes.try_emplace(time_class(task, core_speed), 0);
    std::size_t number = 0;
    for (auto& [microseconds, place] : classes) place = ++number;
    return classes;
}

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
    RecordedGraph graph;
    for (const RecordedJob& job : jobs)
        if (is_task(job))
            graph.tasks.push_back({job.task.job, job.task.name, static_cast<int>(job.task.priority), job.task.seconds(),
                                   job.task.flops, waits.of(job)});
    return graph;
}

TimeBounds bounds_of(const RecordedGraph& graph, const SimulatedMachine& machine) {
    TimeBounds bounds;
    std::vector<double> end(graph.tasks.size(), 0);
    for (std::size_t k = 0; k < graph.tasks.size(); ++k) {
        const GraphTask& task = graph.tasks[k];
        for (const std::size_t before : task.waits_for) end[k] = std::max(end[k], end[before]);
        end[k] += task.seconds / machine.core_speed;
        bounds.path = std::max(bounds.path, end[k]);
        bounds.work += task.seconds / machine.core_speed / machine.cores;
    }
    return bounds;
}

std::string replay_records(const RecordedGraph& graph, double core_speed) {
    const std::map<double, std::size_t> classes = classes_of(graph, core_speed);
    std::string text;
    for (std::size_t k = 0; k < graph.tasks.size(); ++k) {
        const GraphTask& task = graph.tasks[k];
        text += fmt::format("Name: {}\nModel: frond_replay\nJobId: {}\nSubmitOrder: {}\nPriority: {}\n", task.name,
                            k + 1, k + 1, task.priority);
        if (!task.waits_for.empty()) text += "DependsOn:";
        for (const std::size_t before : task.waits_for) text += fmt::format(" {}", before + 1);
        if (!task.waits_for.empty()) text += "\n";
        text += fmt::format("Tag: {:x}\nWorkerId: 0\nFootprint: {:x}\nGFlop: {:.6f}\n\n", k + 1,
                            classes.at(time_class(task, core_speed)), 1e-9 * task.flops);
    }
    return text;
}

std::string replay_model(const RecordedGraph& graph, double core_speed) {
    const std::map<double, std::size_t> classes = classes_of(graph, core_speed);
    // StarPU's file of version 45: one combination of one device, a core; no regression; as many samples of each class
    // as StarPU asks for before it believes them.
    constexpr int samples = 10;
    std::string text = fmt::format("45\n1\n1\n0\n0\n1\n1\n{}\n0 0 0 0 nan nan 0 0 0\nnan nan nan\n0\n", classes.size());
    for (const auto& [microseconds, number] : classes)
        text += fmt::format("{:08x}\t0\t0\t{:e}\t0\t{:e}\t{:e}\t{}\n", number, microseconds, samples * microseconds,
                            samples * microseconds * microseconds, samples);
    return text;
}

}  // namespace frond::cli
