// SPDX-License-Identifier: BSD-3-Clause
#include "compare_kept.hpp"

#include "arguments/output_paths.hpp"
#include "bench/bench_facts.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "keep_tuning.hpp"
#include "run/problem.hpp"
#include "terminal/print.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

namespace frond::cli {
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
