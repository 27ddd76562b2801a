// SPDX-License-Identifier: BSD-3-Clause
#include "study_cases.hpp"

#include "arguments/output_paths.hpp"
#include "frond/base/error.hpp"
#include "frond/codelets/known_scheduler.hpp"
#include "run/problem.hpp"
#include "simulate/model_file.hpp"
#include "simulate/ranks_of_simulation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace frond::cli {

std::vector<std::string> list_of(const std::string& text, const std::string& flag) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        if (words.back().empty()) throw InvalidArgument(flag + " " + text + ": a name between commas is missing");
        begin = end + 1;
    }
    expect_each_once(words, flag);
    return words;
}

void expect_each_once(std::vector<std::string> words, const std::string& flag) {
    std::sort(words.begin(), words.end());
    const auto twice = std::adjacent_find(words.begin(), words.end());
    if (twice != words.end()) throw InvalidArgument(flag + ": " + *twice + " is there twice; give it once");
}

std::vector<std::string> tile_sizes_of(const std::string& list) {
    const std::string flag = "--tile-sizes";
    std::vector<std::string> sizes = list_of(list, flag);
    for (std::string& text : sizes) {
        if (text.find_first_not_of("0123456789") != std::string::npos || text.size() > 6)
            throw InvalidArgument(flag + ": '" + text + "' is not a whole number; 0 is automatic");
        text = std::to_string(std::stol(text));
    }
    expect_each_once(sizes, flag);
    return sizes;
}

StudyMachines study_machines(const CommandLine& line) {
    const bool with_cards = line.options.session.gpus != 0, replays = !line.study.replay_file.empty();
    StudyMachines machines;
    for (const std::string& name : list_of(line.study.machines, "--machines")) {
        SimulatedMachine& machine = machines[name] = read_machine(name, with_cards);
        if (replays && !with_cards) machine.cards.clear();
    }
    return machines;
}

std::string schedulers_of(const CommandLine& line, const StudyMachines& machines) {
    if (line.study.schedulers != "automatic") return line.study.schedulers;
    const bool cards = std::any_of(machines.begin(), machines.end(),
                                   [&line](const auto& entry) { return uses_cards(line, entry.second); });
    return cards ? "prio,dmda,dmdas" : "lws,prio,dmdas";
}

namespace {

void expect_simulated_case(const CommandLine& line, const StudyCase& one, const SimulatedMachine& machine) {
    expect_problem(one.matrix);
    static_cast<void>(read_models(model_folder_of(line.model_folder, machine)));
    expect_cores(machine, line.options.session.cpu_workers);
}

}  // namespace

void expect_study_source(const CommandLine& line) {
    if (line.study.replay_file.empty() && line.matrices.empty())
        throw InvalidArgument("the argument matrix is missing; give one, or --replay FILE");
    if (line.study.replay_file.empty()) return;
    const auto refuse = [](const std::string& what) {
        throw InvalidArgument("--replay takes the tasks of its file as they are; drop " + what);
    };
    if (!line.matrices.empty()) refuse("the matrix " + line.matrices.front());
    if (line.study.tile_sizes != "0") refuse("--tile-sizes");
    if (line.options.analysis.workers > 0) refuse("--workers");
    if (line.options.session.cpu_workers > 0) refuse("--cpu-workers");
    if (line.options.session.gpus > 0) refuse("--gpus, but for --gpus 0, which leaves out the cards of all machines");
    if (line.options.session.gpu_memory_bytes > 0) refuse("--gpu-memory-bytes");
    if (line.options.factor.place != FactorPlace::automatic) refuse("--factor-place");
    if (line.options.analysis.factorization != Factorization::automatic) refuse("--factorization");
    if (!line.model_folder.empty()) refuse("--model");
    if (line.study.runs) refuse("--run");
}

std::vector<StudyCase> study_cases(const CommandLine& line, const StudyMachines& machines) {
    std::vector<StudyCase> cases;
    const bool replays = !line.study.replay_file.empty();
    const auto matrices = replays ? std::vector{line.study.replay_file} : line.matrices;
    const auto names = list_of(line.study.machines, "--machines");
    const auto schedulers = list_of(schedulers_of(line, machines), "--schedulers");
    const auto tile_sizes = tile_sizes_of(line.study.tile_sizes);
    expect_each_once(matrices, "matrix");
    for (const std::string& matrix : matrices)
        for (const std::string& machine : names)
            for (const std::string& scheduler : schedulers)
                for (const std::string& size : tile_sizes)
                    cases.push_back({matrix, machine, scheduler, replays ? "" : size, 0, 0, 0, {}, {}, false});
    return cases;
}

void expect_study_cases(const CommandLine& line, const std::vector<StudyCase>& cases, const StudyMachines& machines) {
    for (const StudyCase& one : cases) expect_known_scheduler(one.scheduler, "--schedulers");
    for (const StudyCase& one : cases) {
        const SimulatedMachine& machine = machines.at(one.machine);
        if (line.study.replay_file.empty()) expect_simulated_case(line, one, machine);
        expect_simulated_cards(line, machine, one.scheduler);
    }
    if (line.study.runs && std::none_of(cases.begin(), cases.end(), [](const StudyCase& c) { return c.is_here(); }))
        throw InvalidArgument("--run: only factorizations on this machine can be run; give this among --machines");
    expect_writable_file(line.json_file);
    expect_writable_file(line.study.csv_file);
    expect_writable_file(line.study.plot_file);
}

std::optional<double> median_run(const StudyCase& one) {
    if (one.run_seconds.empty()) return std::nullopt;
    std::vector<double> sorted = one.run_seconds;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

std::vector<double> ratios_to_best(const std::vector<StudyCase>& cases) {
    std::map<std::pair<std::string, std::string>, double> least;
    for (const StudyCase& c : cases) {
        const auto [entry, is_new] = least.try_emplace({c.matrix, c.machine}, c.seconds);
        if (!is_new) entry->second = std::min(entry->second, c.seconds);
    }
    std::vector<double> ratios;
    for (const StudyCase& c : cases) ratios.push_back(c.seconds / least.at({c.matrix, c.machine}));
    return ratios;
}

std::string choice_text(const StudyCase& one) {
    if (one.tile_size.empty()) return one.scheduler;
    return fmt::format("{}, tiles {}", one.scheduler, one.tile_size == "0" ? "automatic" : one.tile_size);
}

}  // namespace frond::cli
