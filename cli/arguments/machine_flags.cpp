// SPDX-License-Identifier: BSD-3-Clause
#include "flags.hpp"
#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace frond::cli {
namespace {

CLI::Option* add_seconds(CLI::App& app, const std::string& name, double& seconds, const std::string& help) {
    const auto set = [name, &seconds](const std::string& text) {
        constexpr double largest = 3600;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        if (failure != std::errc() || end != text.data() + text.size() || !(seconds >= 1 && seconds <= largest))
            throw InvalidArgument(fmt::format("{}: '{}' is not a number of seconds in 1 .. {}", name, text, largest));
    };
    return app.add_option_function<std::string>(name, set, help)->type_name("SECONDS");
}

}  // namespace

void add_simulate(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* simulate =
        app.add_subcommand("simulate", "Predict the time of a factorization on another machine, without its numbers");
    add_text(*simulate, "matrix", line.matrix, "", matrix_text)->required();
    add_text(*simulate, "--machine", line.machine, "FILE",
             "The machine: a file, the name of a shipped one, or this [this]")
        ->default_str("")
        ->default_val("this");
    add_count(*simulate, "--ranks", line.ranks,
              "Simulate N processes, each on a node of the machine of its own, that factor together");
    add_text(*simulate, "--model", line.model_folder, "DIR",
             "Models of the times of tasks, by frond calibrate -o DIR; without: those shipped with the machine");
    add_text(*simulate, "-o,--out-folder", line.trace_folder, "DIR",
             "Write a page that shows what each worker would do, as frond trace does, and the files next to it");
    add_text(*simulate, "--pivots", line.pivots_file, "FILE",
             "Let those pivots fail that frond solve --record-pivots FILE recorded; without: none fails");
    add_run_flags(*simulate, line, texts);
    simulate->footer("Exit codes: 0 simulated, 2 bad input, 3 not enough memory, or no program of the simulation.");
    simulate->final_callback([&line] { line.command = Command::simulate; });
}

void add_study(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* study =
        app.add_subcommand("study", "Simulate matrices with all combinations of machines, schedulers and tile sizes");
    study->add_option("matrix", line.matrices, matrix_text)->type_name("");
    add_text(*study, "--model", line.model_folder, "DIR",
             "Models of the times of tasks, by frond calibrate -o DIR; without: those shipped with the machine");
    add_text(*study, "--machines", line.study.machines, "LIST", "Machines with commas, see frond simulate [this]");
    add_text(*study, "--schedulers", line.study.schedulers, "LIST",
             "StarPU's schedulers [automatic: lws,prio,dmdas, with cards prio,dmda,dmdas]");
    add_text(*study, "--tile-sizes", line.study.tile_sizes, "LIST", "Orders of tiles; 0 is automatic [0]");
    add_text(*study, "--json", line.json_file, "FILE", "Write the table as JSON; - is standard output");
    add_text(*study, "--csv", line.study.csv_file, "FILE", "Write the table as comma-separated values");
    add_text(*study, "--plot", line.study.plot_file, "FILE",
             "Draw times and bounds as SVG, or as a page where the name ends in .html");
    study->add_flag("--run", line.study.runs,
                    "Also factor for real where the machine is this one, in turns, of which the median counts");
    add_count(*study, "--repeat", line.repeat, "How often each factorization is run [3]");
    add_text(*study, "--replay", line.study.replay_file, "FILE",
             "In place of matrices: the tasks of a tasks.rec of frond trace, by StarPU's starpu_replay");
    constexpr std::array<std::string_view, 6> options{"factorization", "workers",          "cpu_workers",
                                                      "gpus",          "gpu_memory_bytes", "factor_place"};
    for (const OptionInfo& info : option_table())
        if (std::find(options.begin(), options.end(), info.name) != options.end()) add_option_flag(*study, texts, info);
    study->footer(
        "After Ctrl-C the table and the files have the cases that were finished.\n"
        "Exit codes: 0 simulated, 2 bad input, 3 not enough memory, or no program of the simulation, 130 Ctrl-C.");
    study->final_callback([&line] { line.command = Command::study; });
}

void add_calibrate(CLI::App& app, CommandLine& line) {
    CLI::App* calibrate =
        app.add_subcommand("calibrate", "Measure the times of tasks on this machine, for frond simulate");
    add_text(*calibrate, "-o,--out", line.model_folder, "DIR", "Folder for models.json and machine.json")->required();
    calibrate->footer("Exit codes: 0 written, 2 bad input, 3 not enough memory or disk, or no StarPU.");
    calibrate->final_callback([&line] { line.command = Command::calibrate; });
}

void add_tune(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* tune =
        app.add_subcommand("tune",
                           "Measure this machine and keep what is quicker than the defaults, for all later sessions");
    tune->add_option("matrix", line.matrices,
                     "Compare the tuning that is kept with the defaults on these matrices, and change nothing")
        ->type_name("");
    add_seconds(*tune, "--time-limit", line.tune.time_limit_seconds, "How long it may take [290]");
    add_text(*tune, "-o,--out", line.tune.file, "FILE",
             "Keep it in this file, for --tuning FILE, and not in the user's folder");
    tune->add_flag("--job", line.tune.job_only, "Measure nothing; print the environment of a cluster's job alone");
    add_count(*tune, "--nodes", line.tune.nodes, "Nodes of that job [1]");
    add_count(*tune, "--ranks-per-node", line.tune.ranks_per_node, "Its processes on a node [1]");
    add_count(*tune, "--repeat", line.repeat, "How often each matrix is run [3]");
    add_text(*tune, "--json", line.json_file, "FILE", "Write a report as JSON; - is standard output");
    for (const OptionInfo& info : option_table())
        if (info.name == "gpus" || info.name == "gpu_memory_bytes") add_option_flag(*tune, texts, info);
    tune->footer("Exit codes: 0 measured, 2 bad input, 3 not enough memory or disk, or no StarPU.");
    tune->final_callback([&line] { line.command = Command::tune; });
}

void add_info(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* info = app.add_subcommand("info", "Machine, StarPU, BLAS kernels and GPUs");
    add_text(*info, "--json", line.json_file, "FILE",
             "Write the facts as JSON; - is standard output, the table then goes to standard error");
    add_option_flags(*info, texts, OptionPhase::session);
    info->footer("Exit codes: 0, 2 bad input or GPUs that are not there, 3 no StarPU.");
    add_mpi(*info, line.mpi);
    info->final_callback([&line] { line.command = Command::info; });
}

}  // namespace frond::cli
