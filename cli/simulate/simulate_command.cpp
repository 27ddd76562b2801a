// SPDX-License-Identifier: BSD-3-Clause
// frond simulate: in the program frond the start of the simulation's program, there the simulation.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "card_schedulers.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/simulated_machine.hpp"
#include "model_file.hpp"
#include "pivot_file.hpp"
#include "platform.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "run/run_problem.hpp"
#include "run/run_table.hpp"
#include "simulation_program.hpp"
#include "time_bounds.hpp"
#include "terminal/print.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace frond::cli {
namespace {

/// A tree on a card has pieces, of whose pivots none can fail here.
void expect_pivots_of_tasks(const CommandLine& line, const SimulatedMachine& machine) {
    const bool on_cards = machine.card_count() > 0 && line.options.session.gpus != 0;
    if (line.pivots_file.empty() || !on_cards || line.options.factor.place == FactorPlace::tasks) return;
    throw InvalidArgument("--pivots " + line.pivots_file + ": pivots are recorded of tasks, and the machine " +
                          machine.name +
                          " has cards, which may factor the whole tree; give --factor-place tasks, or "
                          "--gpus 0");
}

void expect_simulated_cards(const CommandLine& line, const SimulatedMachine& machine) {
    if (line.options.session.gpus > machine.card_count())
        throw InvalidArgument(fmt::format("--gpus {}: the machine {} has {}", line.options.session.gpus, machine.name,
                                          counted(machine.card_count(), "card")));
    if (machine.cards.size() > 1 && line.options.session.gpus != 0)
        throw InvalidArgument(
            fmt::format("--machine {}: it has cards of {} models, and only one can be simulated at a "
                        "time; take the others out of the file, or --gpus 0",
                        line.machine, machine.cards.size()));
    const std::string& scheduler = line.options.session.scheduler;
    if (machine.card_count() > 0 && line.options.session.gpus != 0) expect_scheduler_of_cards(scheduler);
}

int start_simulation(const CommandLine& line, const SimulatedMachine& machine) {
    const std::string program = simulation_program();
    const PlatformFolder folder(machine);
    return run_simulation_program(program, line.arguments, variables_of(folder));
}

template <class T>
void simulate(const CommandLine& line, const Session& session, const SharedMatrix<T>& a,
              const AnalysisOptions& analysis_options, const std::optional<PivotFile>& pivots, RunFacts& facts) {
    facts.complex_scalar = is_complex<T>;
    facts.scalar_bytes = sizeof(T);
    Solver<T> solver(session, analysis_options);
    solver.analyze(a);
    facts.analysis = solver.analysis();
    if (pivots) {
        const bool tested = facts.analysis->factorization != Factorization::llt &&
                            (line.options.factor.pivoting == Pivoting::automatic ||
                             line.options.factor.pivoting == Pivoting::threshold);
        expect_pivots_of(*pivots, line.pivots_file, *facts.analysis, tested);
        replay_pivots(pivots->runs);
    }
    facts.predicted_peak_bytes = predicted_peak_bytes<T>(*facts.analysis);
    facts.predicted_solve_bytes = predicted_solve_bytes<T>(*facts.analysis, 1, line.options.solve);
    facts.factor = solver.factor(a, line.options.factor);
    facts.total_seconds = facts.factor->seconds;
}

/// What the machine says of the speed of its card, and the models of that of a core.
SimulatedHardware hardware_of(const SimulatedMachine& machine, const TimeModels& models) {
    SimulatedHardware hardware;
    hardware.cores = machine.cores;
    hardware.cards = machine.card_count();
    if (const auto product = models.find("update_tile general");
        product != models.end() && product->second.per_term[0] > 0)
        hardware.rates.core_product_flops = 1 / product->second.per_term[0];
    if (machine.cards.empty()) return hardware;
    const SimulatedCards& cards = machine.cards.front();
    hardware.card_memory_bytes = cards.memory_bytes;
    hardware.rates.device_product_flops = cards.product_flops;
    hardware.rates.link_bytes = cards.link_bytes_per_second;
    return hardware;
}

/// The models and the machine, in place of the one that the process runs on.
SessionOptions simulated_session(const CommandLine& line, const SimulatedMachine& machine, const ModelFile& models) {
    const TimeModels of_machine = at_speed(models.models, machine.core_speed);
    use_time_models(of_machine);
    use_simulated_hardware(hardware_of(machine, of_machine));
    SessionOptions options = line.options.session;
    if (options.cpu_workers > machine.cores)
        throw InvalidArgument(fmt::format("--cpu-workers {}: the machine {} has {} cores", options.cpu_workers,
                                          machine.name, machine.cores));
    const bool is_of_cores = machine.cards.empty() || options.gpus == 0;
    if (is_of_cores) options.gpus = 0;
    if (is_of_cores && options.cpu_workers == 0) options.cpu_workers = machine.cores;
    return options;
}

/// Of tasks on cards.
bool are_measured(const ModelFile& models) {
    return std::any_of(models.models.begin(), models.models.end(),
                       [](const auto& entry) { return entry.first.starts_with(on_card); });
}

/// What the times are from.
std::string origin_of(const ModelFile& models, const SimulatedMachine& machine, const SessionInfo& session) {
    std::string text = fmt::format("models of {}, {}", models.processor, models.date);
    if (session.gpus == 0) return text;
    if (are_measured(models)) return text + ", also of its card";
    const SimulatedCards& cards = machine.cards.front();
    return text + fmt::format("; no model of the card was measured: its tasks follow {}",
                              cards.product_source.empty() ? "the rates of an H200"
                                                           : "rates scaled by product_flops, " + cards.product_source);
}

/// Null where the calling thread ran all of it.
Json bounds_json(const SimulatedBounds& found, const SessionInfo& session) {
    if (found.tasks == 0) return nullptr;
    const TimeBounds bounds = time_bounds(found, session);
    return {{"work_seconds", bounds.work}, {"path_seconds", bounds.path}, {"submit_seconds", bounds.submission}};
}

Json simulated_json(const CommandLine& line, const RunFacts& facts, const SimulatedMachine& machine,
                    const ModelFile& models) {
    Json object = run_json(facts);
    object["simulated"] = true;
    object["machine"] = Json::parse(text_of_machine(machine));
    object["models"] = {{"processor", models.processor}, {"date", models.date}, {"of_card", are_measured(models)}};
    object["bounds"] = bounds_json(take_simulated_bounds(), facts.session);
    object["pivots"] = line.pivots_file.empty() ? Json(nullptr) : Json(line.pivots_file);
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
    const ModelFile models = read_models(model_folder_of(line.model_folder, machine));
    std::optional<PivotFile> pivots;
    if (!line.pivots_file.empty()) pivots = read_pivots(line.pivots_file);
    const Session session(simulated_session(line, machine, models));
    facts.session = session.info();
    std::visit(
        [&]<class T>(const SharedMatrix<T>& a) {
            if constexpr (is_built<T>())
                simulate(line, session, a, analysis_options, pivots, facts);
            else
                throw scalar_left_out(facts.matrix);
        },
        problem.matrix);
    std::FILE* const stream = table_stream(line);
    const Style style(stream);
    print_text(stream, fmt::format("\n{}\n  {} on the machine {}: {}\n\n", run_table(facts).text(style),
                                   style.good("simulated"), machine.name, origin_of(models, machine, facts.session)));
    if (!line.json_file.empty()) write_json(line.json_file, simulated_json(line, facts, machine, models));
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
            expect_simulated_cards(line, machine);
            expect_pivots_of_tasks(line, machine);
            if (simulates()) return simulate_here(line, machine, facts);
            static_cast<void>(read_models(model_folder_of(line.model_folder, machine)));  // what is wrong is said here
            if (!line.pivots_file.empty()) static_cast<void>(read_pivots(line.pivots_file));
            expect_writable_file(line.json_file);
            return start_simulation(line, machine);
        },
        [&] { return run_json(facts); });
}

}  // namespace frond::cli
