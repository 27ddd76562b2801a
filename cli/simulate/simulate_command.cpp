// SPDX-License-Identifier: BSD-3-Clause
// frond simulate: in the program frond the start of the simulation's program, there the simulation.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "model_file.hpp"
#include "platform.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "run/run_problem.hpp"
#include "run/run_table.hpp"
#include "simulation_program.hpp"
#include "terminal/print.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace frond::cli {
namespace {

/// What simulated cards would do is not modelled.
void expect_no_cards(const CommandLine& line, const SimulatedMachine& machine) {
    if (machine.card_count() == 0 || line.options.session.gpus == 0) return;
    throw InvalidArgument(
        fmt::format("--machine {}: it has {}, and cards are not simulated yet; --gpus 0 simulates its cores alone",
                    line.machine, counted(machine.card_count(), "card")));
}

int start_simulation(const CommandLine& line, const SimulatedMachine& machine) {
    const std::string program = simulation_program();
    const PlatformFolder folder(machine);
    return run_simulation_program(program, line.arguments, variables_of(folder));
}

template <class T>
void simulate(const CommandLine& line, const Session& session, const SharedMatrix<T>& a,
              const AnalysisOptions& analysis_options, RunFacts& facts) {
    facts.complex_scalar = is_complex<T>;
    facts.scalar_bytes = sizeof(T);
    Solver<T> solver(session, analysis_options);
    solver.analyze(a);
    facts.analysis = solver.analysis();
    facts.predicted_peak_bytes = predicted_peak_bytes<T>(*facts.analysis);
    facts.predicted_solve_bytes = predicted_solve_bytes<T>(*facts.analysis, 1, line.options.solve);
    facts.factor = solver.factor(a, line.options.factor);
    facts.total_seconds = facts.factor->seconds;
}

/// The models and the machine, in place of the one that the process runs on.
SessionOptions simulated_session(const CommandLine& line, const SimulatedMachine& machine) {
    use_time_models(at_speed(read_models(line.model_folder).models, machine.core_speed));
    SessionOptions options = line.options.session;
    if (options.cpu_workers == 0) options.cpu_workers = machine.cores;
    if (options.cpu_workers > machine.cores)
        throw InvalidArgument(fmt::format("--cpu-workers {}: the machine {} has {} cores", options.cpu_workers,
                                          machine.name, machine.cores));
    options.gpus = 0;
    return options;
}

Json simulated_json(const RunFacts& facts, const SimulatedMachine& machine) {
    Json object = run_json(facts);
    object["simulated"] = true;
    object["machine"] = Json::parse(text_of_machine(machine));
    object["exit_code"] = solved;
    return object;
}

int simulate_here(CommandLine line, const SimulatedMachine& machine, RunFacts& facts) {
    if (std::getenv("STARPU_PERF_MODEL_DIR") == nullptr)
        throw RuntimeError("this program is started by frond simulate, which prepares its machine");
    if (line.options.factor.memory_budget_bytes == 0) line.options.factor.memory_budget_bytes = machine.memory_bytes;
    const Problem problem = load_with_status(line.matrix, line.precision);
    facts.matrix = problem.facts;
    const AnalysisOptions analysis_options = analysis_options_of(line, problem);
    const Session session(simulated_session(line, machine));
    facts.session = session.info();
    std::visit(
        [&]<class T>(const SharedMatrix<T>& a) {
            if constexpr (is_built<T>())
                simulate(line, session, a, analysis_options, facts);
            else
                throw scalar_left_out(facts.matrix);
        },
        problem.matrix);
    std::FILE* const stream = table_stream(line);
    const Style style(stream);
    print_text(stream, fmt::format("\n{}\n  {} on the machine {}\n\n", run_table(facts).text(style),
                                   style.good("simulated"), machine.name));
    if (!line.json_file.empty()) write_json(line.json_file, simulated_json(facts, machine));
    return solved;
}

}  // namespace

int simulate_command(const CommandLine& line) {
    RunFacts facts;
    facts.matrix.name = line.matrix;
    return with_error_json(
        line,
        [&] {
            const SimulatedMachine machine = read_machine(line.machine);
            expect_no_cards(line, machine);
            if (simulates()) return simulate_here(line, machine, facts);
            static_cast<void>(read_models(line.model_folder));  // what is wrong with it is said here
            expect_writable_file(line.json_file);
            return start_simulation(line, machine);
        },
        [&] { return run_json(facts); });
}

}  // namespace frond::cli
