// SPDX-License-Identifier: BSD-3-Clause
#include "calibration_problems.hpp"
#include "frond/base/error.hpp"

#include <algorithm>
#include <sys/resource.h>

namespace frond::cli {
namespace {

double process_seconds() {
    rusage used{};
    if (getrusage(RUSAGE_SELF, &used) != 0) throw RuntimeError("getrusage failed");
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct TaskSum {
    double seconds = 0, tasks = 0;
    std::vector<TimeSample> submissions;
};

void add_problem(const CalibrationProblem& problem, TaskSum& sum) {
    SessionOptions one;
    one.cpu_workers = 1;
    one.gpus = 0;
    one.tuning = "off";
    const Session session(one);
    AnalysedProblem p(problem, many_cores, session);
    for (int k = 0; k < 2; ++k) p.solver.factor(p.matrix);  // then no memory is new
    record_times(true);
    const double start = process_seconds();
    const FactorReport& report = p.solver.factor(p.matrix);
    sum.seconds += process_seconds() - start;
    sum.tasks += static_cast<double>(report.work.tasks);
    record_times(false);
    for (const auto& [kind, samples] : take_times()) {
        for (const TimeSample& sample : samples) sum.seconds -= sample.seconds;
        if (kind == "submit") sum.submissions.insert(sum.submissions.end(), samples.begin(), samples.end());
    }
}

}  // namespace

double seconds_of_submission(const std::vector<TimeSample>& samples) {
    double seconds = 0, tasks = 0;
    for (const TimeSample& sample : samples) {
        seconds += sample.seconds;
        tasks += sample.work.items;
    }
    return tasks > 0 ? seconds / tasks : 0.0;
}

TaskCost measure_task_cost(const std::vector<CalibrationProblem>& problems) {
    TaskSum sum;
    for (const CalibrationProblem& problem : problems) add_problem(problem, sum);
    return {sum.tasks > 0 ? std::max(0.0, sum.seconds / sum.tasks) : 0.0, seconds_of_submission(sum.submissions)};
}

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
