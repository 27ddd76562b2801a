// SPDX-License-Identifier: BSD-3-Clause
#include "keep_tuning.hpp"

#include "arguments/output_paths.hpp"
#include "bench/bench_facts.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "run/problem.hpp"
#include "terminal/clock.hpp"
#include "terminal/table.hpp"
#include "terminal/terminal.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

namespace frond::cli {
namespace {

/// Whatever else has the name is left alone.
bool removed_earlier(const std::string& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return false;
    try {
        static_cast<void>(read_tuning(file));
    } catch (const InvalidArgument&) {
        return false;
    }
    return std::filesystem::remove(file, error);
}

}  // namespace

SessionOptions session_to_tune(const CommandLine& line) {
    SessionOptions options;
    options.gpus = line.options.session.gpus;
    options.gpu_memory_bytes = line.options.session.gpu_memory_bytes;
    return options;
}

void expect_no_starpu_choices() {
    for (const char* name :
         {"STARPU_SCHED", "STARPU_NCPU", "STARPU_NCPUS", "STARPU_RESERVE_NCPU", "STARPU_NTHREADS_PER_CORE",
          "STARPU_WORKERS_NOBIND", "STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID", "STARPU_NWORKER_PER_CUDA"})
        if (const char* value = std::getenv(name); value != nullptr)
            throw InvalidArgument(
                fmt::format("the variable {}={} comes before what frond tune chooses; unset it", name, value));
}

std::string place_of_tuning(const CommandLine& line, const MachineKind& machine) {
    if (!line.tune.file.empty()) return line.tune.file;
    const std::string folder = tuning_folder();
    if (folder.empty())
        throw InvalidArgument(
            "neither XDG_CONFIG_HOME nor HOME is an absolute path, below which a tuning could be kept; set one, or "
            "give "
            "-o FILE");
    return folder + "/" + tuning_file_name(machine);
}

void make_folder_of_tunings(const CommandLine& line) {
    if (line.tune.file.empty()) make_folder(tuning_folder());
}

void keep_or_leave(const std::string& why_not, TuneFacts& facts) {
    facts.kept = why_not.empty();
    if (facts.kept) {
        Tuning& tuning = facts.search.best;
        tuning.date = today();
        tuning.mean_ratio = facts.verification->tuned.mean_ratio;
        tuning.largest_ratio = facts.verification->tuned.largest_ratio;
        write_tuning(tuning, facts.file);
        facts.outcome = fmt::format("kept: {}, in {}", differences(tuning), facts.file);
        return;
    }
    facts.outcome = "the defaults stay: " + why_not;
    if (removed_earlier(facts.file)) facts.outcome += "; the tuning that was kept earlier is removed: " + facts.file;
}

namespace {

Tuning kept_tuning(const std::string& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        throw InvalidArgument(file + ": no tuning is kept for this machine; run frond tune without matrices first");
    return read_tuning(file);
}

double median_of_problem(const Rounds& rounds, std::size_t problem) {
    Times times;
    for (const std::vector<double>& round : rounds) times.seconds.push_back(round.at(problem));
    return times.median();
}

Json compared_json(const std::vector<LoadedProblem>& problems, const std::vector<Rounds>& rounds,
                   const Comparison& comparison) {
    Json list = Json::array();
    for (std::size_t p = 0; p < problems.size(); ++p)
        list.push_back({{"matrix", problems[p].problem.name},
                        {"default_seconds", median_of_problem(rounds[0], p)},
                        {"tuned_seconds", median_of_problem(rounds[1], p)},
                        {"ratio", comparison.ratios[p]}});
    return list;
}

Table compared_table(const std::vector<LoadedProblem>& problems, const std::vector<Rounds>& rounds,
                     const Comparison& comparison) {
    Table table;
    table.section("factor and solve", "ratio", "default, tuned: medians");
    for (std::size_t p = 0; p < problems.size(); ++p)
        table.row(problems[p].problem.title(), fmt::format("{:.3f}", comparison.ratios[p]),
                  fmt::format("{}, {}", text_of_seconds(median_of_problem(rounds[0], p)),
                              text_of_seconds(median_of_problem(rounds[1], p))));
    table.row("mean", fmt::format("{:.3f}", comparison.mean_ratio),
              fmt::format("largest {:.3f}, {}", comparison.largest_ratio, counted(comparison.rounds, "round")));
    return table;
}

}  // namespace

int compare_kept(const CommandLine& line, const TuneClock& clock, const SessionInfo& session) {
    const MachineKind machine = machine_kind(session.gpus);
    const std::string file = place_of_tuning(line, machine);
    const Tuning tuning = kept_tuning(file);
    for (const std::string& matrix : line.matrices) expect_problem(matrix);
    std::vector<LoadedProblem> problems;
    for (const std::string& matrix : line.matrices) problems.emplace_back(TuneProblem{matrix});
    const TunedRuns runs(session_to_tune(line), machine);
    const std::vector<Rounds> rounds =
        run_in_turns(runs, problems, {nullptr, &tuning}, line.repeat, std::numeric_limits<double>::infinity(), clock,
                     "comparing with the defaults");
    const Comparison comparison = compare(rounds[0], rounds[1]);
    std::FILE* const stream = table_stream(line);
    print_text(stream, fmt::format("\n{}\n  tuned: {}, by {}\n\n",
                                   compared_table(problems, rounds, comparison).text(Style(stream)),
                                   differences(tuning), file));
    if (!line.json_file.empty())
        write_json(line.json_file, {{"frond", session_json(session)},
                                    {"file", file},
                                    {"differences", differences(tuning)},
                                    {"problems", compared_json(problems, rounds, comparison)},
                                    {"mean_ratio", comparison.mean_ratio},
                                    {"largest_ratio", comparison.largest_ratio},
                                    {"rounds", comparison.rounds},
                                    {"error", nullptr},
                                    {"exit_code", solved}});
    return solved;
}

}  // namespace frond::cli
