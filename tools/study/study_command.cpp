// SPDX-License-Identifier: BSD-3-Clause
// frond study: a simulation for each combination of matrices, machines, schedulers and tile sizes; on this machine
// real factorizations in turns with them.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "frond/enum_text.hpp"
#include "study_cases.hpp"
#include "replay.hpp"
#include "run/interrupt.hpp"
#include "run/run_error.hpp"
#include "terminal/clock.hpp"
#include "arguments/input_paths.hpp"
#include "simulate/ranks_of_simulation.hpp"
#include "simulate/platform.hpp"
#include "simulate/simulation_program.hpp"
#include "study_report.hpp"
#include "study_report.hpp"
#include "terminal/terminal.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>

#include <functional>

namespace frond::cli {
namespace {

/// Simulates one case, without printing the simulation's table.
void simulate_case(const std::string& program, const CommandLine& line, const SimulatedMachine& machine,
                   StudyCase& one) {
    const PlatformFolder folder(machine);
    const std::string file = folder.path() + "/run.json";
    std::vector<std::string> arguments{"simulate",    one.matrix,    "--machine",   one.machine, "--scheduler",
                                       one.scheduler, "--tile-size", one.tile_size, "--json",    file};
    arguments.insert(arguments.end(), {"--factorization", to_string(line.options.analysis.factorization)});
    const SessionOptions& session = line.options.session;
    const auto add_number = [&arguments](const char* flag, count_t number, count_t least) {
        if (number >= least) arguments.insert(arguments.end(), {flag, std::to_string(number)});
    };
    add_number("--workers", line.options.analysis.workers, 1);
    add_number("--cpu-workers", session.cpu_workers, 1);
    add_number("--gpus", session.gpus, 0);
    add_number("--gpu-memory-bytes", session.gpu_memory_bytes, 1);
    arguments.insert(arguments.end(), {"--factor-place", to_string(line.options.factor.place)});
    if (!line.model_folder.empty()) arguments.insert(arguments.end(), {"--model", line.model_folder});
    const int exit_code = run_simulation_program(program, arguments, variables_of(folder), {"/dev/null", {}});
    if (exit_code != solved)
        throw RuntimeError(fmt::format("{} on {} by {} with tiles of {}: the simulation ended with exit code {}",
                                       one.matrix, one.machine, one.scheduler, one.tile_size, exit_code));
    const Json run = Json::parse(read_text(file, "run frond simulate alone to see why"));
    one.seconds = run.at("factorization").at("seconds").get<double>();
    one.flops = run.at("factorization").at("flops").get<double>();
    one.tasks = run.at("factorization").at("tasks").get<count_t>();
    one.in_pieces = run.at("factorization").at("on_device").get<bool>();
    const Json& bounds = run.at("bounds");
    if (!bounds.is_null())
        one.bounds = TimeBounds{bounds.at("work_seconds").get<double>(), bounds.at("path_seconds").get<double>(),
                                bounds.at("submit_seconds").get<double>()};
}

/// One after the other, with a line that says how long the rest may take.
class Steps {
public:
    explicit Steps(std::size_t count) : count_(count) {}

    void run(const std::string& what, const std::function<void()>& step) {
        const double each = done_ > 0 ? watch_.seconds() / static_cast<double>(done_) : 0;
        const std::string left =
            done_ > 0 ? ", about " + text_of_seconds(each * static_cast<double>(count_ - done_)) + " left" : "";
        expect_no_interrupt();
        const StatusLine status(fmt::format("{}, {} of {}{}", what, done_ + 1, count_, left));
        step();
        ++done_;
    }

private:
    std::size_t count_, done_ = 0;
    Stopwatch watch_;
};

/// Real runs in turns, so that what disturbs the machine for a while disturbs all cases.
void run_study(const CommandLine& line, const StudyMachines& machines, std::vector<StudyCase>& cases) {
    const std::string program = simulation_program();
    std::vector<StudyCase*> here;
    for (StudyCase& one : cases)
        if (line.study.runs && one.is_here()) here.push_back(&one);
    Steps steps(cases.size() + here.size() * static_cast<std::size_t>(line.repeat));
    for (StudyCase& one : cases)
        steps.run("simulation", [&] { simulate_case(program, line, machines.at(one.machine), one); });
    for (index_t turn = 0; turn < line.repeat; ++turn)
        for (StudyCase* one : here)
            steps.run("factorization", [&] {
                const RealRun run = run_really(line.options, *one, uses_cards(line, machines.at(one->machine)));
                one->run_seconds.push_back(run.seconds);
                one->run_on_cards = run.on_cards;
            });
}

void replay_all(const CommandLine& line, const StudyMachines& machines, std::vector<StudyCase>& cases) {
    const std::string tool = replay_tool();
    const RecordedGraph graph = read_recorded_graph(line.study.replay_file);
    for (const auto& [name, machine] : machines) expect_replayable(graph, machine, line.study.replay_file);
    Steps steps(cases.size());
    for (StudyCase& one : cases)
        steps.run("replay", [&] {
            const SimulatedMachine& machine = machines.at(one.machine);
            one.seconds = replay(tool, graph, machine, one.scheduler);
            one.flops = graph.flops();
            one.tasks = std::ssize(graph.tasks);
            one.bounds = bounds_of(graph, machine);
        });
}

void write_study_file(const std::string& file, const std::string& text) {
    if (file.empty()) return;
    OutputFile out(file);
    out.write(text.data(), text.size());
    out.finish();
}

void report_study(const CommandLine& line, const std::vector<StudyCase>& cases, bool interrupted) {
    const bool replays = !line.study.replay_file.empty();
    std::FILE* const stream = table_stream(line);
    print_text(stream, "\n" + study_table(cases, Style(stream)) + "\n");
    if (!line.json_file.empty()) write_json(line.json_file, study_json(cases, replays, interrupted));
    write_study_file(line.study.csv_file, study_csv(cases));
    write_study_file(line.study.plot_file, study_picture(cases, line.study.plot_file));
}

}  // namespace

int study_command(const CommandLine& line) {
    expect_study_source(line);
    const StudyMachines machines = study_machines(line);
    std::vector<StudyCase> cases = study_cases(line, machines);
    expect_study_cases(line, cases, machines);
    const CatchInterrupts caught;
    try {
        line.study.replay_file.empty() ? run_study(line, machines, cases) : replay_all(line, machines, cases);
    } catch (const Cancelled&) {
        const std::size_t all = cases.size();
        std::erase_if(cases, [](const StudyCase& one) { return one.seconds == 0; });
        if (cases.empty()) throw;
        report_study(line, cases, true);
        throw CancelledStudy(cases.size(), all);
    }
    report_study(line, cases, false);
    return solved;
}

}  // namespace frond::cli
