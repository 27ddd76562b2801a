// SPDX-License-Identifier: BSD-3-Clause
#include "arguments/output_paths.hpp"
#include "commands.hpp"
#include "dense_problem.hpp"
#include "exit_code.hpp"
#include "machine/tuning_warning.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/null_space.hpp"
#include "machine/blas_choice.hpp"
#include "run/interrupt.hpp"
#include "run/interrupt_report.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "run/run_problem.hpp"
#include "run/run_table.hpp"
#include "run/factor_with_progress.hpp"
#include "run/solution.hpp"
#include "run/stopwatch.hpp"
#include "terminal/print.hpp"
#include "terminal/status_line.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

template <class T>
void factor_dense(Solver<T>& solver, const DenseMatrixView<T>& a, FactorOptions options, RunFacts& facts) {
    factor_with_progress(solver, a, std::move(options), facts);
    facts.analysis = solver.analysis();
    facts.predicted_peak_bytes = predicted_peak_bytes<T>(*facts.analysis);
}

/// Of known random X the product comes after the factorization, by the solver.
template <class T>
RightHandSides<T> dense_rhs(const CommandLine& line, index_t n, RunFacts& facts) {
    facts.right_hand_sides = line.rhs_file.empty() ? "of known random solutions" : line.rhs_file;
    if (line.rhs_file.empty()) return random_solutions<T>(n, line.random_rhs);
    RightHandSides<T> rhs = read_rhs<T>(line.rhs_file, n);
    if (rhs.complex_pairs) facts.right_hand_sides += ", real and imaginary parts";
    return rhs;
}

template <class T>
Solution<T> solve_dense(Solver<T>& solver, const CommandLine& line, RightHandSides<T>& rhs, index_t n,
                        RunFacts& facts) {
    const StatusLine status("solving");
    SolveOptions options = line.options.solve;
    options.cancel = &interrupt_flag();
    if (!rhs.known_x.empty())
        solver.multiply(options.operation, {rhs.known_x.data(), n, rhs.count}, {rhs.b.data(), n, rhs.count});
    Solution<T> solution{n, rhs.count, std::vector<T>(rhs.b.size()), rhs.complex_pairs};
    facts.solve = solver.solve(BlockView<const T>{rhs.b.data(), n, rhs.count},
                               BlockView<T>{solution.x.data(), n, rhs.count}, options);
    facts.factor = solver.factor_report();  // others when the solve escalated
    facts.solve_is_part = options.part != SolvePart::all;
    if (!rhs.known_x.empty() && !facts.solve_is_part) facts.forward_error = forward_error(solution.x, rhs.known_x);
    return solution;
}

template <class T>
void write_dense_results(const CommandLine& line, const Solver<T>& solver, const Solution<T>& solution,
                         RunFacts& facts) {
    write_solution(line.solution_file, solution);
    if (line.condition) facts.condition = condition_estimate(solver.factors(), &interrupt_flag());
    if (line.null_space_file.empty()) return;
    const NullSpace<T> space = null_space(solver.factors(), line.options.solve.operation, &interrupt_flag());
    facts.null_space = {space.dimension, space.residual};
    write_matrix_market(line.null_space_file, space.rows, space.dimension, space.basis.data(),
                        std::max<count_t>(1, space.rows), {"null space by frond"});
}

template <class T>
void run_dense(const CommandLine& line, const Session& session, const DenseMatrix<T>& a, RunFacts& facts) {
    facts.complex_scalar = is_complex<T>;
    facts.scalar_bytes = sizeof(T);
    facts.accepted_backward_error = accepted_backward_error<T>(line.options.solve);
    RightHandSides<T> rhs = dense_rhs<T>(line, a.rows, facts);  // a wrong file must not cost a factorization
    DenseMatrixView<T> view{a.rows, a.value.data()};
    view.symmetry = facts.matrix.symmetry;
    const Stopwatch watch;
    const CatchInterrupts caught;
    Solver<T> solver(session, line.options.analysis);
    factor_dense(solver, view, line.options.factor, facts);
    facts.predicted_solve_bytes = predicted_solve_bytes<T>(*facts.analysis, 1, line.options.solve);
    Solution<T> solution;
    const bool solves = facts.factor->status != FactorStatus::not_positive_definite;
    if (solves) solution = solve_dense(solver, line, rhs, a.rows, facts);
    facts.total_seconds = watch.seconds();
    if (solves) write_dense_results(line, solver, solution, facts);
}

void expect_dense_outputs(const CommandLine& line) {
    for (const std::string& file : {line.json_file, line.solution_file, line.null_space_file})
        expect_writable_file(file);
}

int solve_dense_and_report(const CommandLine& line, RunFacts& facts) {
    FROND_EXPECTS(line.options.session.communicator == nullptr,
                  "frond solve-dense works in one process as yet; start it without mpirun, or with --mpi off");
    expect_dense_outputs(line);
    InterruptReport report(line, run_json(facts));
    const DenseProblem problem = [&] {
        const StatusLine status("reading " + line.matrix);
        return load_dense_problem(line.matrix, line.symmetry, line.precision);
    }();
    facts.matrix = problem.facts;
    const Session session(line.options.session);
    facts.session = session.info();
    warn_of_tuning(facts.session);
    facts.blas_choice = blas_choice_text();
    report.stop();  // what follows stops by itself
    std::visit(
        [&]<class T>(const DenseMatrix<T>& a) {
            if constexpr (is_built<T>())
                run_dense(line, session, a, facts);
            else
                throw scalar_left_out(facts.matrix);
        },
        problem.matrix);
    std::FILE* const stream = table_stream(line);
    const Style style(stream);
    print_text(stream, fmt::format("\n{}\n  {}\n\n", run_table(facts).text(style), verdict(facts, style)));
    if (!line.json_file.empty()) write_json(line.json_file, run_json(facts));
    return exit_code_of(facts);
}

}  // namespace

int solve_dense_command(const CommandLine& line) {
    RunFacts facts;
    facts.matrix.name = line.matrix;
    return with_error_json(
        line, [&] { return solve_dense_and_report(line, facts); }, [&] { return run_json(facts); });
}

}  // namespace frond::cli
