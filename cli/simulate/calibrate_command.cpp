// SPDX-License-Identifier: BSD-3-Clause
// frond calibrate: factors model problems, records how long each task takes, and fits a model to each kind of task.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "exit_code.hpp"
#include "fit_models.hpp"
#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "machine/machine.hpp"
#include "machine_file.hpp"
#include "model_file.hpp"
#include "run/problem.hpp"
#include "terminal/print.hpp"
#include "terminal/status_line.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"

#include "frond/enum_text.hpp"
#include "frond/solver.hpp"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <sys/resource.h>

namespace frond::cli {
namespace {

struct CalibrationProblem {
    const char* name;
    Factorization factorization;
};

/// Small and large fronts, tiles and subtrees of all kinds.
constexpr std::array<CalibrationProblem, 17> problems{{
    {"generate:poisson2d:350", Factorization::llt},
    {"generate:poisson2d:700", Factorization::llt},
    {"generate:poisson3d:24", Factorization::llt},
    {"generate:poisson3d:36", Factorization::llt},
    {"generate:poisson3d:48", Factorization::llt},
    {"generate:grid27:24", Factorization::llt},
    {"generate:elasticity3d:14", Factorization::llt},
    {"generate:elasticity3d:22", Factorization::llt},
    {"generate:poisson2d:350", Factorization::lu},
    {"generate:convdiff3d:20", Factorization::lu},
    {"generate:convdiff3d:32", Factorization::lu},
    {"generate:convdiff3d:42", Factorization::lu},
    {"generate:poisson2d:350", Factorization::ldlt},
    {"generate:poisson3d:28", Factorization::ldlt},
    {"generate:elasticity3d:18", Factorization::ldlt},
    {"generate:kkt:10", Factorization::ldlt},
    {"generate:kkt:14", Factorization::ldlt},
}};

/// For as many cores the analysis cuts smaller tiles and subtrees.
constexpr std::array<index_t, 2> cuts{0, 32};

/// Whether that is work of the thread that submits beside tasks, as a first factorization has it.
bool is_work_of_caller(std::string_view kind) {
    for (const char* begin : {"start", "system", "finish", "scaling"})
        if (kind.starts_with(begin)) return true;
    return false;
}

/// Twice: tasks count the second time, when there is memory. Small problems spend more of their first time on new
/// memory than large ones, which take again what fronts below gave back.
TimeSamples factor_twice(const CalibrationProblem& problem, index_t workers, const Session& session) {
    const auto a = std::get<SharedMatrix<double>>(load_problem(problem.name, Precision::double_precision).matrix);
    AnalysisOptions options;
    options.factorization = problem.factorization;
    options.workers = workers;
    Solver<double> solver(session, options);
    solver.analyze(a);
    record_times(true);
    solver.factor(a);
    TimeSamples first = take_times();
    solver.factor(a);
    record_times(false);
    TimeSamples second = take_times();
    std::erase_if(first, [](const auto& entry) { return !is_work_of_caller(entry.first); });
    std::erase_if(second, [](const auto& entry) { return is_work_of_caller(entry.first); });
    second.merge(first);
    return second;
}

void add(TimeSamples from, TimeSamples& to) {
    for (auto& [kind, samples] : from) to[kind].insert(to[kind].end(), samples.begin(), samples.end());
}

TimeSamples run_problems() {
    TimeSamples all;
    SessionOptions cores;
    cores.gpus = 0;
    const Session session(cores);
    for (const CalibrationProblem& problem : problems)
        for (const index_t workers : cuts) {
            const StatusLine status(fmt::format("factoring {} by {}", problem.name, to_string(problem.factorization)));
            add(factor_twice(problem, workers, session), all);
        }
    return all;
}

double process_seconds() {
    rusage used{};
    if (getrusage(RUSAGE_SELF, &used) != 0) throw RuntimeError("getrusage failed");
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct Sum {
    double seconds = 0, tasks = 0;
};

/// What a task takes beside its body: processor time of one worker, less that of the bodies and of the thread that
/// submits.
Sum time_around_tasks(const CalibrationProblem& problem) {
    SessionOptions one;
    one.cpu_workers = 1;
    one.gpus = 0;
    const Session session(one);
    const auto a = std::get<SharedMatrix<double>>(load_problem(problem.name, Precision::double_precision).matrix);
    AnalysisOptions options;
    options.factorization = problem.factorization;
    options.workers = cuts.back();
    Solver<double> solver(session, options);
    solver.analyze(a);
    solver.factor(a);
    record_times(true);
    const double start = process_seconds();
    const FactorReport& report = solver.factor(a);
    Sum sum{process_seconds() - start, static_cast<double>(report.work.tasks)};
    record_times(false);
    for (const auto& [kind, samples] : take_times())
        for (const TimeSample& sample : samples) sum.seconds -= sample.seconds;
    return sum;
}

TimeModel model_around_tasks() {
    const StatusLine status("measuring what a task takes beside its work");
    Sum all;
    for (const CalibrationProblem& problem : {problems[1], problems[3]}) {
        const Sum sum = time_around_tasks(problem);
        all.seconds += sum.seconds;
        all.tasks += sum.tasks;
    }
    return {all.tasks > 0 ? std::max(0.0, all.seconds / all.tasks) : 0.0, {}};
}

/// Of one task.
TimeModel model_of_submission(const std::vector<TimeSample>& samples) {
    Sum all;
    for (const TimeSample& sample : samples) {
        all.seconds += sample.seconds;
        all.tasks += sample.work.items;
    }
    return {all.tasks > 0 ? all.seconds / all.tasks : 0.0, {}};
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    std::array<char, 16> text{};
    if (gmtime_r(&now, &parts) == nullptr || std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts) == 0)
        return "";
    return text.data();
}

void write_text(const std::string& file, const std::string& text) {
    OutputFile out(file);
    out.write(text.data(), text.size());
    out.finish();
}

TimeModels fit_all(const TimeSamples& samples, Table& table) {
    TimeModels models;
    table.section("kind of task", "samples", "mean error");
    for (const auto& [kind, some] : samples) {
        if (kind == "host_chunk") continue;  // of the work before the first task
        models[kind] = kind == "submit" ? model_of_submission(some) : fit_model(some);
        if (kind == "submit") continue;
        table.row(kind, text_of_count(static_cast<count_t>(some.size())),
                  fmt::format("{:.0f} %", 100 * error_of(models[kind], some)));
    }
    return models;
}

}  // namespace

int calibrate_command(const CommandLine& line) {
    if (simulates()) throw RuntimeError("models are made by the program frond, whose tasks run");
    make_folder(line.model_folder);
    const std::string models = line.model_folder + "/" + model_file_name, machine = line.model_folder + "/machine.json";
    expect_writable_file(models);
    expect_writable_file(machine);
    Table table;
    ModelFile file{read_processor("/").name, today(), {}};
    const TimeSamples samples = run_problems();
    file.models = fit_all(samples, table);
    file.models["task"] = model_around_tasks();
    table.row("beside each task", text_of_seconds(file.models["task"].seconds), "of its worker");
    table.row("", text_of_seconds(file.models["submit"].seconds), "of the thread that submits");
    write_text(models, text_of_models(file));
    write_text(machine, text_of_machine(read_machine("this")));
    print_text(stdout, fmt::format("\n{}\n  written: {} and {}\n\n", table.text(Style(stdout)), models, machine));
    return solved;
}

}  // namespace frond::cli
