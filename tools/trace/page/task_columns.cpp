// SPDX-License-Identifier: BSD-3-Clause
#include "trace/page/page_columns.hpp"

#include "trace/read/task_name.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace frond::cli {
namespace {

constexpr std::size_t numbers_of_name = 10;

/// The tasks that the page has, worker by worker and by begin.
std::vector<int> tasks_of_page(const Trace& trace, std::size_t most) {
    std::vector<int> tasks(trace.tasks.size());
    std::iota(tasks.begin(), tasks.end(), 0);
    const auto of = [&](int t) -> const TraceTask& { return trace.tasks[static_cast<std::size_t>(t)]; };
    if (tasks.size() > most) {
        std::nth_element(tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(most), tasks.end(),
                         [&](int a, int b) { return of(a).seconds() > of(b).seconds(); });
        tasks.resize(most);
    }
    std::sort(tasks.begin(), tasks.end(),
              [&](int a, int b) { return of(a).worker != of(b).worker ? of(a).worker < of(b).worker : a < b; });
    return tasks;
}

struct NameColumns {
    std::unordered_map<std::string, std::uint32_t> place;
    nlohmann::json texts = nlohmann::json::array();  // {text, kind}
    std::vector<std::uint32_t> text;
    std::vector<std::vector<std::uint32_t>> numbers{numbers_of_name};

    void add(const TraceTask& task) {
        const NamePattern pattern = pattern_of_name(task.name);
        const auto [known, is_first] = place.try_emplace(pattern.text, static_cast<std::uint32_t>(texts.size()));
        if (is_first) texts.push_back({{"text", pattern.text}, {"kind", task.kind}});
        text.push_back(known->second);
        for (std::size_t i = 0; i < numbers_of_name; ++i)
            numbers[i].push_back(i < pattern.numbers.size() ? static_cast<std::uint32_t>(pattern.numbers[i]) : 0);
    }
};

void add_names(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, const std::vector<int>& tasks) {
    NameColumns names;
    for (const int t : tasks) names.add(trace.tasks[static_cast<std::size_t>(t)]);
    facts["names"] = std::move(names.texts);
    columns.add("task.name", names.text);
    for (std::size_t i = 0; i < numbers_of_name; ++i)
        columns.add_differences("task.number" + std::to_string(i), names.numbers[i]);
}

}  // namespace

double time_unit(double end) { return std::max(end, 1e-9) / 2147483648.0; }

std::uint32_t in_units(double seconds, double unit) {
    return static_cast<std::uint32_t>(std::clamp(std::round(seconds / unit), 0.0, 4294967295.0));
}

std::vector<int> add_tasks(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, const TraceFacts& of,
                           std::size_t most_tasks) {
    const std::vector<int> tasks = tasks_of_page(trace, most_tasks);
    const double unit = time_unit(of.end);
    std::vector<int> place(trace.tasks.size(), -1);
    std::vector<std::uint32_t> begin, length, submitted, ready, job, priority, footprint;
    std::vector<float> flops, bytes;
    std::vector<std::size_t> first(trace.workers.size() + 1, 0);
    for (const int t : tasks) {
        const auto from = static_cast<std::size_t>(t);
        const TraceTask& task = trace.tasks[from];
        place[from] = static_cast<int>(begin.size());
        ++first[static_cast<std::size_t>(task.worker) + 1];
        begin.push_back(in_units(task.begin, unit));
        length.push_back(in_units(task.seconds(), unit));
        submitted.push_back(in_units(task.begin - task.submitted, unit));
        ready.push_back(in_units(task.begin - of.readiness.ready[from], unit));
        job.push_back(static_cast<std::uint32_t>(task.job));
        priority.push_back(static_cast<std::uint32_t>(task.priority));
        footprint.push_back(static_cast<std::uint32_t>(task.footprint));
        flops.push_back(static_cast<float>(task.flops));
        bytes.push_back(static_cast<float>(task.bytes));
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    facts["first_task"] = first;
    facts["left_out"] = trace.tasks.size() - tasks.size();
    columns.add_differences("task.begin", begin);
    columns.add("task.length", length);
    columns.add("task.since_submitted", submitted);
    columns.add("task.since_ready", ready);
    columns.add_differences("task.job", job);
    columns.add_differences("task.priority", priority);
    columns.add("task.footprint", footprint);
    columns.add("task.flops", flops);
    columns.add("task.bytes", bytes);
    add_names(columns, facts, trace, tasks);
    return place;
}

}  // namespace frond::cli
