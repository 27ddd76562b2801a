// SPDX-License-Identifier: BSD-3-Clause
// What may be asked of the factors in addition to X: the condition and the null space.
#include "run_problem.hpp"

#include "../terminal/clock.hpp"
#include "arguments/output_paths.hpp"
#include "arguments/user_order.hpp"
#include "factor_and_solve.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/matrix_market.hpp"
#include "frond/matrix/operations.hpp"
#include "frond/null_space.hpp"
#include "frond/solver.hpp"
#include "interrupt.hpp"
#include "machine/environment.hpp"
#include "plot/plots.hpp"
#include "problem.hpp"
#include "rank_plan.hpp"
#include "ranks/shared_problem.hpp"
#include "run_error.hpp"
#include "run_facts.hpp"
#include "terminal/terminal.hpp"

#include <algorithm>
#include <memory>

namespace frond::cli {

/// The library says so, too, but knows no file.
template <class T>
void expect_analysis_of(const SparseMatrix<T>& a, const Analysis& analysis, const CommandLine& line) {
    if (a.rows() == analysis.order && a.cols() == analysis.order && a.entries() == analysis.entries &&
        a.symmetry == analysis.symmetry && hash_pattern(a.pattern) == analysis.pattern_hash)
        return;
    throw InvalidArgument("the analysis in " + line.analysis_file +
                          " is of another matrix; analyze it first: frond analyze " + line.matrix + " --save FILE");
}

template <class T>
void use_saved_analysis(Solver<T>& solver, const Session& session, const SharedMatrix<T>& a, const CommandLine& line,
                        RunFacts& facts) {
    const StatusLine status("loading the analysis");
    const Stopwatch watch;
    std::shared_ptr<const Analysis> analysis;  // on rank 0, which factors
    together(session, [&] {
        if (facts.session.mpi_rank > 0) return;
        analysis = load_analysis(line.analysis_file);
        if (!line.matrix_by_rank) expect_analysis_of(*a, *analysis, line);
    });
    solver.use(std::move(analysis));
    facts.analysis_loaded_seconds = watch.seconds();
}

template <class T>
void analyze_or_load(Solver<T>& solver, const Session& session, const SharedMatrix<T>& a, const CommandLine& line,
                     RunFacts& facts) {
    if (line.loads_analysis) {
        use_saved_analysis(solver, session, a, line, facts);
    } else {
        const StatusLine status("analysing");
        solver.analyze(a);
    }
    facts.analysis = solver.analysis();
}

template <class T>
void estimate_condition(const Solver<T>& solver, RunFacts& facts) {
    const StatusLine status("estimating the condition");
    facts.condition = solver.condition(&interrupt_flag());
}

template <class T>
void write_null_space(const Solver<T>& solver, const CommandLine& line, RunFacts& facts) {
    const StatusLine status("computing the null space");
    const NullSpace<T> space = solver.null_vectors(line.options.solve.operation, &interrupt_flag());
    facts.null_space = {space.dimension, space.residual};
    if (facts.session.mpi_rank > 0) return;  // rank 0 has it
    const AwaitedReader reader(line.null_space_file);
    write_matrix_market(line.null_space_file, space.rows, space.dimension, space.basis.data(),
                        std::max<count_t>(1, space.rows), {"null space by frond"});
}

/// After X has been written, since it may take long or fail; whoever interrupts it reads that X is there. On all ranks.
template <class T>
void answer_questions(const CommandLine& line, const Solver<T>& solver, RunFacts& facts) {
    try {
        if (line.condition) estimate_condition(solver, facts);
        if (!line.null_space_file.empty()) write_null_space(solver, line, facts);
    } catch (const Cancelled&) {
        if (line.solution_file.empty()) throw;
        throw CancelledLater(is_standard_output(line.solution_file) ? "standard output" : line.solution_file);
    }
}

namespace {

/// What the analysis says, on the rank that has it.
void add_predictions(const CommandLine& line, RunFacts& facts) {
    if (facts.analysis == nullptr) return;
    if (line.ranks > 0) facts.ranks = plan_ranks(facts, line.ranks, line.options.factor);
    if (!line.matrix_by_rank) return;
    facts.matrix.name = line.matrix + " and those of other ranks";
    facts.matrix.entries = facts.matrix.stored_entries = facts.analysis->entries;
}

// Right-hand sides first: a wrong file must not cost a factorization.
template <class T>
void run(const CommandLine& line, const Session& session, const SharedMatrix<T>& a,
         const AnalysisOptions& analysis_options, RunFacts& facts, const std::function<void()>& analysed) {
    const bool solving = line.command != Command::analyze;
    facts.complex_scalar = is_complex<T>;
    facts.scalar_bytes = sizeof(T);
    facts.accepted_backward_error = accepted_backward_error<T>(line.options.solve);
    RightHandSides<T> rhs = solving ? right_hand_sides(line, session, *a, facts) : RightHandSides<T>{};

    const Stopwatch watch;
    Solver<T> solver(session, analysis_options);
    analyze_or_load(solver, session, a, line, facts);
    if (analysed) analysed();
    together(session, [&] {
        if (facts.analysis != nullptr) {
            facts.predicted_peak_bytes = predicted_peak_bytes<T>(*facts.analysis);
            facts.predicted_solve_bytes = predicted_solve_bytes<T>(*facts.analysis, 1, line.options.solve);
        }
        add_predictions(line, facts);
    });
    Solution<T> solution;
    const CatchInterrupts caught;
    if (solving) solution = factor_and_solve(solver, line, a, rhs, facts);
    facts.total_seconds = watch.seconds();
    if (facts.session.mpi_ranks > 1) facts.work_of_ranks = solver.rank_reports();
    together(session, [&] {
        const AwaitedReader reader(line.save_file);
        if (!line.save_file.empty()) save_analysis(*facts.analysis, line.save_file);
        if (facts.solve) write_solution(line.solution_file, solution);
        if (!line.plot_folder.empty()) draw_plots(line.plot_folder, facts, a->pattern, a->symmetry);
    });
    if (facts.solve) answer_questions(line, solver, facts);
}

}  // namespace

AnalysisOptions analysis_options_of(const CommandLine& line, const Problem& problem) {
    AnalysisOptions options = line.options.analysis;
    if (options.grid == std::array<index_t, 3>{0, 0, 0}) {
        options.grid = problem.grid;
        options.grid_dofs = problem.grid_dofs;
    }
    if (!line.user_order_file.empty())
        options.user_order = read_user_order(line.user_order_file, static_cast<index_t>(problem.facts.rows));
    return options;
}

InvalidArgument scalar_left_out(const MatrixFacts& facts) {
    return InvalidArgument(facts.name + ": this build of frond leaves the scalar " + facts.scalar +
                           " out; build with it in the CMake option FROND_SCALARS");
}

Problem load_with_status(const std::string& name, Precision precision) {
    const StatusLine status("reading " + name);
    return load_problem(name, precision);
}

void run_problem(const CommandLine& line, const Session& session, const Problem& problem, RunFacts& facts,
                 const std::function<void()>& analysed) {
    facts.matrix = problem.facts;
    facts.session = session.info();
    facts.blas_choice = blas_choice_text();
    AnalysisOptions options;
    together(session, [&] { options = analysis_options_of(line, problem); });
    cut_for_ranks(options, line.ranks, facts.session.cpu_workers);
    std::visit(
        [&]<class T>(const SharedMatrix<T>& a) {
            if constexpr (is_built<T>())
                run(line, session, a, options, facts, analysed);
            else
                throw scalar_left_out(facts.matrix);
        },
        problem.matrix);
}

RunFacts run_problem(const CommandLine& line, const Session& session, const Problem& problem) {
    RunFacts facts;
    run_problem(line, session, problem, facts);
    return facts;
}

}  // namespace frond::cli
