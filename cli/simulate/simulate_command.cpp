// SPDX-License-Identifier: BSD-3-Clause
// frond simulate: in the program frond the start of the simulation's program, there the simulation.
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "cards_in_use.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/simulated_machine.hpp"
#include "model_file.hpp"
#include "pivot_file.hpp"
#include "platform.hpp"
#include "ranks/rank_work.hpp"
#include "ranks_of_simulation.hpp"
#include "run/interrupt.hpp"
#include "run/rank_plan.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "run/run_problem.hpp"
#include "run/run_table.hpp"
#include "simulation_program.hpp"
#include "time_bounds.hpp"
#include "terminal/print.hpp"
#include "terminal/units.hpp"
#include "trace/convert_and_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace frond::cli {
namespace {

struct Simulated {
    const SimulatedMachine& machine;
    RunFacts& facts;
    std::optional<RanksOfSimulation> ranks;
};

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

/// The pivots to replay, of this analysis.
void replay(const CommandLine& line, const PivotFile& pivots, const Analysis& analysis) {
    const bool tested =
        analysis.factorization != Factorization::llt &&
        (line.options.factor.pivoting == Pivoting::automatic || line.options.factor.pivoting == Pivoting::threshold);
    expect_pivots_of(pivots, line.pivots_file, analysis, tested);
    replay_pivots(pivots.runs);
}

/// By the ranks that are asked for, and then by one of them with the memory of all, whose own is new again.
template <class T>
RanksOfSimulation factor_on_ranks(const CommandLine& line, const Session& session, const SharedMatrix<T>& a,
                                  const SimulatedMachine& machine, RunFacts& facts) {
    RanksOfSimulation run;
    const auto factor = [&](index_t ranks) {
        const index_t memories = line.ranks / ranks;
        use_simulated_cluster(cluster_of(machine, ranks, memories));
        FactorOptions options = line.options.factor;
        options.memory_budget_bytes *= memories;
        Solver<T> solver(session);
        solver.use(facts.analysis);
        return solver.factor(a, options);
    };
    facts.factor = factor(line.ranks);
    run.cluster = simulated_cluster();
    run.work = simulated_cluster_work();
    run.seconds = run.one_rank_seconds = facts.factor->seconds;
    session.give_back_memory();
    if (line.ranks > 1) run.one_rank_seconds = factor(1).seconds;
    return run;
}

template <class T>
void simulate(const CommandLine& line, const Session& session, const SharedMatrix<T>& a,
              const AnalysisOptions& analysis_options, const std::optional<PivotFile>& pivots, Simulated& simulated) {
    RunFacts& facts = simulated.facts;
    facts.complex_scalar = is_complex<T>;
    facts.scalar_bytes = sizeof(T);
    Solver<T> solver(session, analysis_options);
    solver.analyze(a);
    facts.analysis = solver.analysis();
    if (pivots) replay(line, *pivots, *facts.analysis);
    facts.predicted_peak_bytes = predicted_peak_bytes<T>(*facts.analysis);
    facts.predicted_solve_bytes = predicted_solve_bytes<T>(*facts.analysis, 1, line.options.solve);
    if (line.ranks > 0) {
        simulated.ranks = factor_on_ranks(line, session, a, simulated.machine, facts);
        facts.work_of_ranks = reports_of(*simulated.ranks);
    } else {
        facts.factor = solver.factor(a, line.options.factor);
    }
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
    hardware.card_links = {cards.link_bytes_per_second, cards.link_seconds, cards.peer_bytes_per_second};
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
    expect_cores(machine, options.cpu_workers);
    const bool is_of_cores = machine.cards.empty() || options.gpus == 0;
    if (is_of_cores) options.gpus = 0;
    if (line.ranks > 0 && options.cpu_workers == 0)
        options.cpu_workers = machine.cores;  // less those of cards; without, the thread that submits takes none
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

Json simulated_json(const CommandLine& line, const Simulated& simulated, const ModelFile& models) {
    const auto& [machine, facts, ranks] = simulated;
    Json object = run_json(facts);
    object["simulated"] = true;
    object["machine"] = Json::parse(text_of_machine(machine));
    object["models"] = {{"processor", models.processor}, {"date", models.date}, {"of_card", are_measured(models)}};
    object["bounds"] = bounds_json(take_simulated_bounds(), facts.session);
    if (ranks) add_simulated_ranks(object, *ranks);
    object["pivots"] = line.pivots_file.empty() ? Json(nullptr) : Json(line.pivots_file);
    object["exit_code"] = solved;
    return object;
}

/// As a solver on ranks has it, whose tree is cut for the workers of all.
AnalysisOptions simulated_analysis(const CommandLine& line, const Problem& problem, const Session& session) {
    AnalysisOptions options = analysis_options_of(line, problem);
    cut_for_ranks(options, line.ranks, session.info().cpu_workers);
    return options;
}

/// In a session that has ended when it returns, so that StarPU has written what it recorded.
void simulate_problem(const CommandLine& line, const Problem& problem, const ModelFile& models, Simulated& simulated) {
    std::optional<PivotFile> pivots;
    if (!line.pivots_file.empty()) pivots = read_pivots(line.pivots_file);
    const Session session(simulated_session(line, simulated.machine, models));
    const AnalysisOptions analysis_options = simulated_analysis(line, problem, session);
    simulated.facts.session = session.info();
    simulated.facts.machine = simulated.machine.name;
    std::visit(
        [&]<class T>(const SharedMatrix<T>& a) {
            if constexpr (is_built<T>())
                simulate(line, session, a, analysis_options, pivots, simulated);
            else
                throw scalar_left_out(simulated.facts.matrix);
        },
        problem.matrix);
}

void print_simulated(const CommandLine& line, const Simulated& simulated, const ModelFile& models) {
    std::FILE* const stream = table_stream(line);
    const Style style(stream);
    Table table = run_table(simulated.facts);
    if (simulated.ranks) add_efficiency(table, *simulated.ranks);
    print_text(stream,
               fmt::format("\n{}\n  {} on the machine {}: {}\n\n", table.text(style), style.good("simulated"),
                           simulated.machine.name, origin_of(models, simulated.machine, simulated.facts.session)));
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
