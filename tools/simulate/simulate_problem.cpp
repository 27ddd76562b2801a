// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/simulate_problem.hpp"

#include "arguments/command_line.hpp"
#include "arguments/output_paths.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/simulated_bounds.hpp"
#include "frond/codelets/simulated_machine.hpp"
#include "run/rank_plan.hpp"
#include "run/run_problem.hpp"
#include "run/run_table.hpp"
#include "simulate/machine_file.hpp"
#include "simulate/model_file.hpp"
#include "simulate/pivot_file.hpp"
#include "simulate/time_bounds.hpp"
#include "terminal/table.hpp"
#include "terminal/terminal.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace frond::cli {
namespace {

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

/// The models and the machine, in place of the one that the process runs on: from here on the process takes its times and
/// its hardware from them.
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

/// The pivots to replay, of this analysis.
void replay(const CommandLine& line, const PivotFile& pivots, const Analysis& analysis) {
    const bool tested =
        analysis.factorization != Factorization::llt &&
        (line.options.factor.pivoting == Pivoting::automatic || line.options.factor.pivoting == Pivoting::threshold);
    expect_pivots_of(pivots, line.pivots_file, analysis, tested);
    replay_pivots(pivots.runs);
}

/// Factors by the ranks that are asked for, then by one of them with the memory of all, whose own is new again.
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

/// The options of an analysis as a solver on ranks has them, whose tree is cut for the workers of all.
AnalysisOptions simulated_analysis(const CommandLine& line, const Problem& problem, const Session& session) {
    AnalysisOptions options = analysis_options_of(line, problem);
    cut_for_ranks(options, line.ranks, session.info().cpu_workers);
    return options;
}

}  // namespace

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

namespace {

/// True: the models of tasks on cards are measured.
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

}  // namespace

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

void print_simulated(const CommandLine& line, const Simulated& simulated, const ModelFile& models) {
    std::FILE* const stream = table_stream(line);
    const Style style(stream);
    Table table = run_table(simulated.facts);
    if (simulated.ranks) add_efficiency(table, *simulated.ranks);
    print_text(stream,
               fmt::format("\n{}\n  {} on the machine {}: {}\n\n", table.text(style), style.good("simulated"),
                           simulated.machine.name, origin_of(models, simulated.machine, simulated.facts.session)));
}

}  // namespace frond::cli
