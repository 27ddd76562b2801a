// SPDX-License-Identifier: BSD-3-Clause
// frond calibrate: factors model problems, records how long each task takes, and fits a model to each kind of task.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "calibration_problems.hpp"
#include "exit_code.hpp"
#include "fit_models.hpp"
#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "machine/machine.hpp"
#include "machine_file.hpp"
#include "model_file.hpp"
#include "new_memory.hpp"
#include "terminal/print.hpp"
#include "terminal/status_line.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <array>
#include <ctime>
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
    AnalysedProblem p(problem, many_cores, session);
    for (int k = 0; k < 2; ++k) p.solver.factor(p.matrix);  // then no memory is new
    record_times(true);
    const double start = process_seconds();
    const FactorReport& report = p.solver.factor(p.matrix);
    Sum sum{process_seconds() - start, static_cast<double>(report.work.tasks)};
    record_times(false);
    for (const auto& [kind, samples] : take_times())
        for (const TimeSample& sample : samples) sum.seconds -= sample.seconds;
    return sum;
}

TimeModel model_around_tasks() {
    const StatusLine status("measuring what a task takes beside its work");
    Sum all;
    for (const CalibrationProblem& problem : {CalibrationProblem{"generate:poisson2d:700", Factorization::llt},
                                              CalibrationProblem{"generate:poisson3d:36", Factorization::llt}}) {
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

TaskWork megabyte_of_memory() {
    TaskWork work;
    work.bytes = 1 << 20;
    return work;
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

/// For fits of one's own: those of a card are few.
void write_samples_of_card(const std::string& file, const TimeSamples& samples) {
    std::string text = "kind,flops,bytes,items,rows,seconds\n";
    for (const auto& [kind, some] : samples)
        for (const TimeSample& s : some)
            text += fmt::format("{},{},{},{},{},{}\n", kind, s.work.flops, s.work.bytes, s.work.items, s.work.rows,
                                s.seconds);
    write_text(file, text);
}

TimeModels fit_all(const TimeSamples& samples, Table& table) {
    TimeModels models;
    table.section("kind of task", "samples", "mean error");
    for (const auto& [kind, some] : samples) {
        if (kind == "host_chunk") continue;  // of the work before the first task
        models[kind] = kind == "submit" ? model_of_submission(some) : fit_model(some);
        if (kind == "submit") continue;
        table.row(kind, text_of_count(static_cast<count_t>(some.size())),
                  fmt::format("{:.0f} %", 100 * mean_error_of(models[kind], some)));
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
    TimeSamples samples = record_on_cores(), of_card = record_on_card();
    if (!of_card.empty()) write_samples_of_card(line.model_folder + "/card-samples.csv", of_card);
    samples.merge(of_card);
    file.models = fit_all(samples, table);
    file.models["task"] = model_around_tasks();
    file.models[new_memory] = measure_new_memory();
    table.row("beside each task", text_of_seconds(file.models["task"].seconds), "of its worker");
    table.row("", text_of_seconds(file.models["submit"].seconds), "of the thread that submits");
    table.row("new memory", text_of_seconds(file.models[new_memory].of(megabyte_of_memory())), "of a MiB");
    write_text(models, text_of_models(file));
    write_text(machine, text_of_machine(read_machine("this")));
    print_text(stdout, fmt::format("\n{}\n  written: {} and {}\n\n", table.text(Style(stdout)), models, machine));
    return solved;
}

}  // namespace frond::cli
