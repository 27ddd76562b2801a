// SPDX-License-Identifier: BSD-3-Clause
// frond simulate: in the program frond the start of the simulation's program, there the simulation.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "ranks_of_simulation.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "model_file.hpp"
#include "pivot_file.hpp"
#include "platform.hpp"
#include "ranks_of_simulation.hpp"
#include "run/interrupt.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "run/run_problem.hpp"
#include "simulate_problem.hpp"
#include "simulation_program.hpp"
#include "terminal/terminal.hpp"
#include "trace/write_trace.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace frond::cli {
namespace {

/// A tree on a card has pieces, of whose pivots none can fail here.
void expect_pivots_of_tasks(const CommandLine& line, const SimulatedMachine& machine) {
    if (line.pivots_file.empty() || !uses_cards(line, machine) || line.options.factor.place == FactorPlace::tasks)
        return;
    throw InvalidArgument("--pivots " + line.pivots_file + ": pivots are recorded of tasks, and the machine " +
                          machine.name +
                          " has cards, which may factor the whole tree; give --factor-place tasks, or "
                          "--gpus 0");
}

int start_simulation(const CommandLine& line, const SimulatedMachine& machine) {
    const std::string program = simulation_program();
    const CatchInterrupts caught;
    const PlatformFolder folder(machine, std::max<index_t>(line.ranks, 1));
    return run_simulation_program(program, line.arguments, variables_of(folder), {}, [&line](int process) {
        if (!line.trace_folder.empty()) remove_recording(line.trace_folder, process);
    });
}

/// A tuning was measured on the machine that frond runs on.
void expect_no_tuning(const CommandLine& line) {
    const std::string& tuning = line.options.session.tuning;
    if (tuning == "automatic" || tuning == "off") return;
    throw InvalidArgument("--tuning " + tuning +
                          ": a simulated machine takes no tuning, which is of the machine that it was measured on; "
                          "leave it out, and give --scheduler, --tile-size and --cpu-workers as you want them");
}

/// Here what is asked for; in the simulation's program what frond simulate has made of it.
SimulatedMachine machine_of(const CommandLine& line) {
    if (!simulates()) return read_machine(line.machine, line.options.session.gpus != 0);
    const char* const file = std::getenv(machine_variable);
    if (file == nullptr) throw RuntimeError("this program is started by frond simulate, which prepares its machine");
    return read_machine(file);
}

int simulate_here(CommandLine line, const SimulatedMachine& machine, RunFacts& facts) {
    std::string tool;
    std::optional<Recording> recording;
    if (!line.trace_folder.empty()) {
        tool = expect_trace_tool();
        recording.emplace(line.trace_folder, nullptr);
    }
    if (line.options.factor.memory_budget_bytes == 0) line.options.factor.memory_budget_bytes = machine.memory_bytes;
    const Problem problem = load_with_status(line.matrix, line.precision);
    facts.matrix = problem.facts;
    const ModelFile models = read_models(model_folder_of(line.model_folder, machine));
    Simulated simulated{machine, facts, {}};
    simulate_problem(line, problem, models, simulated);
    print_simulated(line, simulated, models);
    if (!line.json_file.empty()) write_json(line.json_file, simulated_json(line, simulated, models));
    if (recording) print_text(table_stream(line), convert_and_write(*recording, tool, facts, true) + "\n");
    return solved;
}

}  // namespace

int simulate_command(const CommandLine& line) {
    RunFacts facts;
    facts.matrix.name = line.matrix;
    return with_error_json(
        line,
        [&] {
            expect_no_tuning(line);
            const SimulatedMachine machine = machine_of(line);
            expect_simulated_cards(line, machine, line.options.session.scheduler);
            expect_pivots_of_tasks(line, machine);
            expect_simulated_ranks(line, machine);
            if (simulates()) return simulate_here(line, machine, facts);
            static_cast<void>(read_models(model_folder_of(line.model_folder, machine)));  // what is wrong is said here
            if (!line.pivots_file.empty()) static_cast<void>(read_pivots(line.pivots_file));
            const ResultFolder results(line.trace_folder);  // --json may name a file in it
            expect_writable_file(line.json_file);
            return start_simulation(line, machine);
        },
        [&] { return run_json(facts); });
}

}  // namespace frond::cli
