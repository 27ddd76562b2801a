// SPDX-License-Identifier: BSD-3-Clause
// frond study: a simulation for each combination of matrices, machines, schedulers and tile sizes.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "card_schedulers.hpp"
#include "exit_code.hpp"
#include "arguments/read_text.hpp"
#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "model_file.hpp"
#include "platform.hpp"
#include "run/run_json.hpp"
#include "run/stopwatch.hpp"
#include "simulation_program.hpp"
#include "terminal/print.hpp"
#include "terminal/status_line.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace frond::cli {
namespace {

struct StudyCase {
    std::string matrix, machine, scheduler, tile_size;
    double seconds = 0, flops = 0;
    count_t tasks = 0;
};

std::vector<std::string> words_of(const std::string& list, const std::string& flag) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        words.push_back(list.substr(begin, end - begin));
        if (words.back().empty()) throw InvalidArgument(flag + " " + list + ": a name between commas is missing");
        begin = end + 1;
    }
    return words;
}

std::vector<StudyCase> cases_of(const CommandLine& line) {
    std::vector<StudyCase> cases;
    const auto machines = words_of(line.study.machines, "--machines");
    const auto schedulers = words_of(line.study.schedulers, "--schedulers");
    const auto tile_sizes = words_of(line.study.tile_sizes, "--tile-sizes");
    for (const std::string& matrix : line.matrices)
        for (const std::string& machine : machines)
            for (const std::string& scheduler : schedulers)
                for (const std::string& size : tile_sizes) cases.push_back({matrix, machine, scheduler, size});
    return cases;
}

/// Of the simulation, whose table goes nowhere.
void run_case(const std::string& program, const CommandLine& line, StudyCase& one) {
    const SimulatedMachine machine = read_machine(one.machine);
    const PlatformFolder folder(machine);
    const std::string file = folder.path() + "/run.json";
    std::vector<std::string> arguments{"simulate",    one.matrix,    "--machine",   one.machine, "--scheduler",
                                       one.scheduler, "--tile-size", one.tile_size, "--json",    file};
    if (!line.model_folder.empty()) arguments.insert(arguments.end(), {"--model", line.model_folder});
    const int exit_code = run_simulation_program(program, arguments, variables_of(folder), true);
    if (exit_code != solved)
        throw RuntimeError(fmt::format("{} on {} by {} with tiles of {}: the simulation ended with exit code {}",
                                       one.matrix, one.machine, one.scheduler, one.tile_size, exit_code));
    const Json run = Json::parse(read_text(file, "run frond simulate alone to see why"));
    one.seconds = run.at("factorization").at("seconds").get<double>();
    one.flops = run.at("factorization").at("flops").get<double>();
    one.tasks = run.at("factorization").at("tasks").get<count_t>();
}

void run_all(const CommandLine& line, std::vector<StudyCase>& cases) {
    const std::string program = simulation_program();
    const Stopwatch watch;
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const double each = k > 0 ? watch.seconds() / static_cast<double>(k) : 0;
        const StatusLine status(fmt::format(
            "simulation {} of {}{}", k + 1, cases.size(),
            k > 0 ? ", about " + text_of_seconds(each * static_cast<double>(cases.size() - k)) + " left" : ""));
        run_case(program, line, cases[k]);
    }
}

/// Seconds over the least of the same matrix on the same machine.
std::vector<double> ratios_of(const std::vector<StudyCase>& cases) {
    std::map<std::pair<std::string, std::string>, double> least;
    for (const StudyCase& c : cases) {
        const auto [entry, is_new] = least.try_emplace({c.matrix, c.machine}, c.seconds);
        if (!is_new) entry->second = std::min(entry->second, c.seconds);
    }
    std::vector<double> ratios;
    for (const StudyCase& c : cases) ratios.push_back(c.seconds / least.at({c.matrix, c.machine}));
    return ratios;
}

std::string table_of(const std::vector<StudyCase>& cases, const Style& style) {
    Table table;
    const std::vector<double> ratios = ratios_of(cases);
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const StudyCase& c = cases[k];
        if (k == 0 || c.matrix != cases[k - 1].matrix || c.machine != cases[k - 1].machine)
            table.section(c.matrix, c.machine);
        table.row(fmt::format("{}, tiles {}", c.scheduler, c.tile_size == "0" ? "automatic" : c.tile_size),
                  text_of_seconds(c.seconds),
                  fmt::format("{:.2f} of the best, {}, {}", ratios[k], text_of_rate(c.flops / c.seconds),
                              counted(c.tasks, "task")));
    }
    return table.text(style);
}

Json json_of(const std::vector<StudyCase>& cases) {
    const std::vector<double> ratios = ratios_of(cases);
    Json object = {{"frond", session_json({})}, {"simulated", true}};
    for (std::size_t k = 0; k < cases.size(); ++k)
        object["cases"].push_back({{"matrix", cases[k].matrix},
                                   {"machine", cases[k].machine},
                                   {"scheduler", cases[k].scheduler},
                                   {"tile_size", std::stol(cases[k].tile_size)},
                                   {"seconds", cases[k].seconds},
                                   {"ratio_to_best", ratios[k]},
                                   {"flops", cases[k].flops},
                                   {"tasks", cases[k].tasks}});
    return object;
}

void write_csv(const std::string& file, const std::vector<StudyCase>& cases) {
    std::string text = "matrix,machine,scheduler,tile_size,seconds,flops,tasks\n";
    for (const StudyCase& c : cases)
        text += fmt::format("\"{}\",\"{}\",{},{},{},{},{}\n", c.matrix, c.machine, c.scheduler, c.tile_size, c.seconds,
                            c.flops, c.tasks);
    OutputFile out(file);
    out.write(text.data(), text.size());
    out.finish();
}

/// Before long work.
void expect_cases(const CommandLine& line, const std::vector<StudyCase>& cases) {
    for (const StudyCase& c : cases) {
        expect_problem(c.matrix);
        const SimulatedMachine machine = read_machine(c.machine);
        static_cast<void>(read_models(model_folder_of(line.model_folder, machine)));
        if (machine.card_count() > 0) expect_scheduler_of_cards(c.scheduler);
        if (c.tile_size.find_first_not_of("0123456789") != std::string::npos || c.tile_size.size() > 6)
            throw InvalidArgument("--tile-sizes: '" + c.tile_size + "' is not a whole number; 0 is automatic");
    }
    expect_writable_file(line.json_file);
    expect_writable_file(line.study.csv_file);
}

}  // namespace

int study_command(const CommandLine& line) {
    std::vector<StudyCase> cases = cases_of(line);
    expect_cases(line, cases);
    run_all(line, cases);
    std::FILE* const stream = table_stream(line);
    print_text(stream, "\n" + table_of(cases, Style(stream)) + "\n");
    if (!line.json_file.empty()) write_json(line.json_file, json_of(cases));
    if (!line.study.csv_file.empty()) write_csv(line.study.csv_file, cases);
    return solved;
}

}  // namespace frond::cli
