// SPDX-License-Identifier: BSD-3-Clause
#include "task_cost.hpp"

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

}  // namespace frond::cli
