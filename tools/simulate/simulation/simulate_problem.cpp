// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/simulation/simulate_problem.hpp"

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "run/rank_plan.hpp"
#include "run/run_problem.hpp"
#include "simulate/pivot_file.hpp"
#include "simulate/simulation/simulated_session.hpp"

namespace frond::cli {
namespace {

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

}  // namespace frond::cli
