// SPDX-License-Identifier: BSD-3-Clause
#include "replay.hpp"

#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "arguments/input_paths.hpp"
#include "simulate/platform.hpp"
#include "simulate/simulation_program.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace frond::cli {
namespace {

namespace fs = std::filesystem;

void write_for_replay(const std::string& file, const std::string& text) {
    OutputFile out(file);
    out.write(text.data(), text.size());
    out.finish();
}

/// The last line of what the tool said: its counters, which it writes over, are no lines.
std::string last_line(const std::string& file) {
    const std::string text = read_text(file, "check the free room in the folder for temporary files");
    const std::size_t end = text.find_last_not_of("\r\n \t");
    if (end == std::string::npos) return "nothing";
    const std::size_t begin = text.find_last_of("\r\n", end);
    return text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? -1 : begin));
}

/// "12.5 ms", which it prints at its end.
double replayed_seconds(const std::string& output, const std::string& errors, const std::string& scheduler) {
    const std::string said = read_text(errors, "check the free room in the folder for temporary files");
    if (said.find("was not found") != std::string::npos)
        throw InvalidArgument("--schedulers: starpu_replay knows no scheduler " + scheduler);
    const std::string text = read_text(output, "check the free room in the folder for temporary files");
    char* end = nullptr;
    const double milliseconds = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || !std::string_view(end).starts_with(" ms") || !(milliseconds > 0))
        throw RuntimeError("starpu_replay printed no time, but '" + text.substr(0, text.find('\n')) +
                           "', and said: " + last_line(errors));
    return 1e-3 * milliseconds;
}

}  // namespace

std::string replay_tool() {
    const std::string tool = (fs::path(simulation_program()).parent_path() / "starpu_replay").string();
    if (access(tool.c_str(), X_OK) == 0) return tool;
    throw RuntimeError(tool +
                       ": there is no starpu_replay next to the program of the simulation; StarPU installs it where "
                       "it is built with SimGrid, and the simulation build links to it (docs/simulation.md)");
}

double replay(const std::string& tool, const RecordedGraph& graph, const SimulatedMachine& machine,
              const std::string& scheduler) {
    const PlatformFolder folder(machine);
    const std::string models = folder.path() + "/codelets/45", records = folder.path() + "/tasks.rec",
                      output = folder.path() + "/output", errors = folder.path() + "/errors";
    std::error_code failure;
    if (!fs::create_directories(models, failure))
        throw RuntimeError(models + " cannot be made: " + failure.message() +
                           "; set TMPDIR to a folder that takes "
                           "files");
    write_for_replay(models + "/frond_replay." + PlatformFolder::host, replay_model(graph, machine));
    write_for_replay(records, replay_records(graph, machine));
    std::vector<std::string> variables = variables_of(folder);
    const ReplayWorkers workers = replay_workers(machine);
    variables.insert(variables.end(), {"STARPU_SCHED=" + scheduler, fmt::format("STARPU_NCPU={}", workers.cores),
                                       fmt::format("STARPU_NCUDA={}", workers.cards)});
    int exit_code = 0;
    try {
        exit_code = run_simulation_program(tool, {records}, variables, {output, errors});
    } catch (const RuntimeError& error) {
        throw RuntimeError(std::string(error.what()) + ", and said: " + last_line(errors));
    }
    if (exit_code != 0)
        throw RuntimeError(fmt::format("starpu_replay by {} on {} ended with exit code {}, and said: {}", scheduler,
                                       machine.name, exit_code, last_line(errors)));
    return replayed_seconds(output, errors, scheduler);
}

}  // namespace frond::cli
