// SPDX-License-Identifier: BSD-3-Clause
// frond calibrate: factors model problems, records how long each task takes, and fits a model to each kind of task.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "calibration_problems.hpp"
#include "exit_code.hpp"
#include "model_file.hpp"
#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "machine/machine.hpp"
#include "this_machine.hpp"
#include "machine_file.hpp"
#include "model_file.hpp"
#include "terminal/terminal.hpp"
#include "terminal/table.hpp"
#include "terminal/clock.hpp"

#include <fmt/format.h>

#include <malloc.h>

#include <algorithm>
#include <array>

namespace frond::cli {
namespace {

/// Otherwise malloc would keep what one problem has freed for the next one, in which no block would be new.
void take_large_blocks_from_the_system() {
#ifdef __GLIBC__
    constexpr int large_bytes = 128 << 10;
    static_cast<void>(mallopt(M_MMAP_THRESHOLD, large_bytes));
#endif
}

/// The median of several measurements, which differ by a third.
TimeModel model_around_tasks() {
    const StatusLine status("measuring what a task takes in addition to its work");
    std::array<double, 5> seconds{};
    for (double& s : seconds)
        s = measure_task_cost(
                {{"generate:poisson2d:700", Factorization::llt}, {"generate:poisson3d:36", Factorization::llt}})
                .worker_seconds;
    std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
    return {seconds[seconds.size() / 2], {}};
}

TaskWork megabyte_of_memory() {
    TaskWork work;
    work.bytes = 1 << 20;
    return work;
}

void write_text(const std::string& file, const std::string& text) {
    OutputFile out(file);
    out.write(text.data(), text.size());
    out.finish();
}

/// Writes samples for fits of one's own: those of a card are few.
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
        models[kind] = kind == "submit" ? TimeModel{seconds_of_submission(some), {}} : fit_model(some);
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
    const SimulatedMachine here = this_machine(true);
    take_large_blocks_from_the_system();
    Table table;
    ModelFile file{read_processor("/").name, today(), {}};
    auto [samples, memory] = record_on_cores();
    TimeSamples of_card = record_on_card();
    if (!of_card.empty()) write_samples_of_card(line.model_folder + "/card-samples.csv", of_card);
    samples.merge(of_card);
    file.models = fit_all(samples, table);
    file.models["task"] = model_around_tasks();
    file.models[new_memory] = new_memory_model(memory);
    table.row("around each task", text_of_seconds(file.models["task"].seconds), "of its worker");
    table.row("", text_of_seconds(file.models["submit"].seconds), "of the thread that submits");
    table.row("new memory", text_of_seconds(file.models[new_memory].of(megabyte_of_memory())), "of a MiB");
    write_text(models, text_of_models(file));
    write_text(machine, text_of_machine(here));
    print_text(stdout, fmt::format("\n{}\n  written: {} and {}\n\n", table.text(Style(stdout)), models, machine));
    return solved;
}

}  // namespace frond::cli
