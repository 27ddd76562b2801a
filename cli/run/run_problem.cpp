// SPDX-License-Identifier: BSD-3-Clause
#include "run_problem.hpp"
#include "rank_plan.hpp"

#include "machine/blas_choice.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/matrix_market.hpp"
#include "frond/matrix/operations.hpp"
#include "frond/null_space.hpp"
#include "interrupt.hpp"
#include "arguments/output_paths.hpp"
#include "plot/plots.hpp"
#include "run_error.hpp"
#include "stopwatch.hpp"
#include "terminal/progress_bar.hpp"
#include "terminal/status_line.hpp"
#include "arguments/user_order.hpp"

#include <algorithm>
#include <limits>

namespace frond::cli {
namespace {

template <class T>
struct Solution {
    index_t rows = 0;
    index_t count = 0;
    std::vector<T> x;
    bool complex_pairs = false;  // as of the right-hand sides
};

template <class T>
double forward_error(const std::vector<T>& x, const std::vector<T>& known) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        difference = std::max(difference, static_cast<double>(std::abs(x[i] - known[i])));
        size = std::max(size, static_cast<double>(std::abs(known[i])));
    }
    return size > 0 ? difference / size : difference;
}

template <class T>
void factor(Solver<T>& solver, const SharedMatrix<T>& a, FactorOptions options, RunFacts& facts) {
    ProgressBar bar("factorization");
    options.cancel = &interrupt_flag();
    if (bar.visible_on_this_stream()) options.progress = [&bar](const Progress& progress) { bar.update(progress); };
    try {
        facts.factor = solver.factor(a, options);
    } catch (const InvalidMatrix& error) {  // the library knows no file
        throw InvalidMatrix(facts.matrix.name + ": " + error.what(), facts.matrix.name);
    }
}

template <class T>
Solution<T> solve(Solver<T>& solver, const RightHandSides<T>& rhs, SolveOptions options, RunFacts& facts) {
    const index_t n = solver.analysis()->order;
    Solution<T> solution{n, rhs.count, std::vector<T>(rhs.b.size()), rhs.complex_pairs};
    options.cancel = &interrupt_flag();
    facts.solve = solver.solve(BlockView<const T>{rhs.b.data(), n, rhs.count, n},
                               BlockView<T>{solution.x.data(), n, rhs.count, n}, options);
    facts.solve_is_part = options.part != SolvePart::all;
    if (!rhs.known_x.empty() && !facts.solve_is_part) facts.forward_error = forward_error(solution.x, rhs.known_x);
    return solution;
}

template <class T>
void estimate_condition(const Solver<T>& solver, RunFacts& facts) {
    const StatusLine status("estimating the condition");
    facts.condition = condition_estimate(solver.factors(), &interrupt_flag());
}

template <class T>
void write_null_space(const Solver<T>& solver, const CommandLine& line, RunFacts& facts) {
    const StatusLine status("computing the null space");
    const NullSpace<T> space = null_space(solver.factors(), line.options.solve.operation, &interrupt_flag());
    facts.null_space = {space.dimension, space.residual};
    write_matrix_market(line.null_space_file, space.rows, space.dimension, space.basis.data(),
                        std::max<count_t>(1, space.rows), {"null space by frond"});
}

template <class T>
RightHandSides<T> right_hand_sides(const CommandLine& line, const SparseMatrix<T>& a, RunFacts& facts) {
    facts.right_hand_sides = line.rhs_file.empty() ? "of known random solutions" : line.rhs_file;
    return rhs_of(line, a);
}

/// X of complex right-hand sides from its parts: x_j = x_2j + i x_2j+1.
template <class R>
Solution<std::complex<R>> with_joined_parts(const Solution<R>& parts) {
    Solution<std::complex<R>> joined{parts.rows, parts.count / 2, {}};
    const std::size_t rows = static_cast<std::size_t>(parts.rows);
    joined.x.resize(parts.x.size() / 2);
    for (std::size_t j = 0; j < static_cast<std::size_t>(joined.count); ++j)
        for (std::size_t i = 0; i < rows; ++i)
            joined.x[j * rows + i] = {parts.x[2 * j * rows + i], parts.x[(2 * j + 1) * rows + i]};
    return joined;
}

template <class T>
void write_solution(const std::string& file, const Solution<T>& solution) {
    if (file.empty()) return;
    if constexpr (!is_complex<T>)
        if (solution.complex_pairs) return write_solution(file, with_joined_parts(solution));
    write_matrix_market(file, solution.rows, solution.count, solution.x.data(), std::max<count_t>(1, solution.rows),
                        {"solution by frond"});
}

// X comes first, since what follows may take long or fail; whoever interrupts it reads that X is there.
template <class T>
void write_results(const CommandLine& line, const Solver<T>& solver, const Solution<T>& solution, RunFacts& facts) {
    write_solution(line.solution_file, solution);
    try {
        if (line.condition) estimate_condition(solver, facts);
        if (!line.null_space_file.empty()) write_null_space(solver, line, facts);
    } catch (const Cancelled&) {
        if (line.solution_file.empty()) throw;
        throw CancelledLater("interrupted: the solution was written to " +
                             (is_standard_output(line.solution_file) ? "standard output" : line.solution_file) +
                             ", and then the work stopped");
    }
}

// The library says so, too, but knows no file.
template <class T>
void expect_analysis_of(const SparseMatrix<T>& a, const Analysis& analysis, const CommandLine& line) {
    if (a.rows() == analysis.order && a.cols() == analysis.order && a.entries() == analysis.entries &&
        a.symmetry == analysis.symmetry && hash_pattern(a.pattern) == analysis.pattern_hash)
        return;
    throw InvalidArgument("the analysis in " + line.analysis_file +
                          " is of another matrix; analyze it first: frond analyze " + line.matrix + " --save FILE");
}

template <class T>
void analyze_or_load(Solver<T>& solver, const SharedMatrix<T>& a, const CommandLine& line, RunFacts& facts) {
    if (line.analysis_file.empty()) {
        const StatusLine status("analysing");
        solver.analyze(a);
    } else {
        const StatusLine status("loading the analysis");
        const Stopwatch watch;
        solver.use(load_analysis(line.analysis_file));
        facts.analysis_loaded_seconds = watch.seconds();
        expect_analysis_of(*a, *solver.analysis(), line);
    }
    facts.analysis = solver.analysis();
}

// Right-hand sides first: a wrong file must not cost a factorization.
template <class T>
void run(const CommandLine& line, const Session& session, const SharedMatrix<T>& a,
         const AnalysisOptions& analysis_options, RunFacts& facts, const std::function<void()>& analysed) {
    const bool solving = line.command != Command::analyze;
    facts.complex_scalar = is_complex<T>;
    facts.scalar_bytes = sizeof(T);
    facts.accepted_backward_error = accepted_backward_error<T>(line.options.solve);
    const RightHandSides<T> rhs = solving ? right_hand_sides(line, *a, facts) : RightHandSides<T>{};
    if (rhs.complex_pairs) facts.right_hand_sides += ", real and imaginary parts";

    const Stopwatch watch;
    Solver<T> solver(session, analysis_options);
    analyze_or_load(solver, a, line, facts);
    if (analysed) analysed();
    facts.predicted_peak_bytes = predicted_peak_bytes<T>(*facts.analysis);
    facts.predicted_solve_bytes = predicted_solve_bytes<T>(*facts.analysis, 1, line.options.solve);
    if (line.ranks > 0) facts.ranks = plan_ranks(facts, line.ranks, line.options.factor.memory_budget_bytes);
    Solution<T> solution;
    const CatchInterrupts caught;
    if (solving) {
        factor(solver, a, line.options.factor, facts);
        facts.analysis = solver.analysis();  // another one when L L^T gave way to L D L^T
        if (facts.factor->status != FactorStatus::not_positive_definite) {
            const StatusLine status("solving");
            solution = solve(solver, rhs, line.options.solve, facts);
            facts.factor = solver.factors().report();  // others when the solve escalated
        }
    }
    facts.total_seconds = watch.seconds();
    if (!line.save_file.empty()) save_analysis(*facts.analysis, line.save_file);
    if (facts.solve) write_results(line, solver, solution, facts);
    if (!line.plot_folder.empty()) draw_plots(line.plot_folder, facts, a->pattern, a->symmetry);
}

}  // namespace

AnalysisOptions analysis_options_of(const CommandLine& line, const Problem& problem) {
    AnalysisOptions options = line.options.analysis;
    if (line.ranks > 0) options.ranks = line.ranks;
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
    const AnalysisOptions options = analysis_options_of(line, problem);
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
