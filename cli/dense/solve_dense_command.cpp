// SPDX-License-Identifier: BSD-3-Clause
#include "arguments/output_paths.hpp"
#include "commands.hpp"
#include "dense_problem.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/null_space.hpp"
#include "frond/session.hpp"
#include "machine/environment.hpp"
#include "ranks/shared_problem.hpp"
#include "run/factor_and_solve.hpp"
#include "run/interrupt.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "run/run_problem.hpp"
#include "run/run_table.hpp"
#include "terminal/clock.hpp"
#include "terminal/terminal.hpp"

#include <fmt/format.h>
#include <sstream>

namespace frond::cli {
namespace {

/// What ranks that read nothing must know, as text.
std::string text_of_dense(const DenseProblem& problem) {
    return fmt::format("{} {} {} {}", problem.facts.rows, problem.facts.scalar,
                       static_cast<int>(problem.facts.symmetry), problem.has_maps ? 1 : 0);
}

SomeDense nothing_of(const std::string& scalar) {
    if (scalar == "float") return DenseMatrix<float>{};
    if (scalar == "complex<float>") return DenseMatrix<std::complex<float>>{};
    if (scalar == "double") return DenseMatrix<double>{};
    return DenseMatrix<std::complex<double>>{};
}

/// The matrix on all ranks: each reads or makes its part, or rank 0 reads all of an array. Collective.
/// @throws what load_dense_problem throws; InvalidMatrix: files of other orders or scalars
DenseProblem load_dense_on_ranks(const Session& session, const CommandLine& line) {
    const DenseShare share{session.info().mpi_rank, session.info().mpi_ranks, line.matrix_by_rank};
    const auto load = [&] {
        const StatusLine status("reading " + line.matrix);
        return load_dense_problem(line.matrix, line.symmetry, line.precision, share);
    };
    DenseProblem problem;
    together(session, [&] {
        if (share.rank == 0) problem = load();
    });
    const std::string of_rank_0 = session.text_of_rank_0(text_of_dense(problem));
    std::istringstream words(of_rank_0);
    count_t order = 0;
    std::string scalar;
    int symmetry = 0, has_maps = 0;
    words >> order >> scalar >> symmetry >> has_maps;
    together(session, [&] {
        if (share.rank == 0) return;
        if (has_maps != 0) {
            problem = load();
            if (text_of_dense(problem) != of_rank_0)
                throw InvalidMatrix(fmt::format("{}: a matrix of order {} and scalar {}, but rank 0's is of order {} "
                                                "and {}; give files of one kind",
                                                line.matrix, problem.facts.rows, problem.facts.scalar, order, scalar),
                                    line.matrix);
            return;
        }
        problem.facts.name = line.matrix;
        problem.facts.rows = order;
        problem.facts.scalar = scalar;
        problem.facts.symmetry = static_cast<Symmetry>(symmetry);
        problem.matrix = nothing_of(scalar);
    });
    return problem;
}

template <class T>
void factor_dense(Solver<T>& solver, const DenseMatrixView<T>& a, FactorOptions options, RunFacts& facts) {
    factor_with_progress(solver, a, std::move(options), facts);
    facts.analysis = solver.analysis();  // rank 0 has it
    if (facts.analysis == nullptr) return;
    facts.predicted_peak_bytes = predicted_peak_bytes<T>(*facts.analysis);
}

/// The right-hand sides, on the ranks that have rows of B. For a random X the solver makes the product after the
/// factorization.
template <class T>
RightHandSides<T> dense_rhs(const CommandLine& line, const Session& session, index_t n, RunFacts& facts) {
    facts.right_hand_sides = line.rhs_file.empty() ? "of known random solutions" : line.rhs_file;
    RightHandSides<T> rhs;
    together(session, [&] {
        if (line.rhs_by_rank)
            rhs = read_rows_of_rhs<T>(line.rhs_file);
        else if (facts.session.mpi_rank == 0)
            rhs = line.rhs_file.empty() ? random_solutions<T>(n, line.random_rhs) : read_rhs<T>(line.rhs_file, n);
    });
    share_shape(session, rhs);
    if (rhs.complex_pairs) facts.right_hand_sides += ", real and imaginary parts";
    return rhs;
}

template <class T>
Solution<T> solve_dense(Solver<T>& solver, const CommandLine& line, RightHandSides<T>& rhs, index_t n,
                        RunFacts& facts) {
    const StatusLine status("solving");
    SolveOptions options = line.options.solve;
    options.cancel = &interrupt_flag();
    const index_t given = rhs.rows(), rows = solution_rows(line, facts.session, n, given);
    if (line.rhs_file.empty())
        solver.multiply(options.operation, {rhs.known_x.data(), given, rhs.count}, {rhs.b.data(), given, rhs.count});
    Solution<T> solution{rows, rhs.count, {}, rhs.complex_pairs};
    solution.x.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rhs.count));
    facts.solve = solver.solve(BlockView<const T>{rhs.b.data(), given, rhs.count},
                               BlockView<T>{solution.x.data(), rows, rhs.count}, options);
    facts.factor = solver.factor_report();  // others when the solve escalated
    facts.solve_is_part = options.part != SolvePart::all;
    if (!rhs.known_x.empty() && !facts.solve_is_part && rows == given)
        facts.forward_error = forward_error(solution.x, rhs.known_x);
    return solution;
}

template <class T>
void answer_dense_questions(const CommandLine& line, const Solver<T>& solver, RunFacts& facts) {
    if (line.condition) facts.condition = solver.condition(&interrupt_flag());
    if (line.null_space_file.empty()) return;
    const NullSpace<T> space = solver.null_vectors(line.options.solve.operation, &interrupt_flag());
    facts.null_space = {space.dimension, space.residual};
    if (facts.session.mpi_rank > 0) return;  // rank 0 has it
    const AwaitedReader reader(line.null_space_file);
    write_matrix_market(line.null_space_file, space.rows, space.dimension, space.basis.data(),
                        std::max<count_t>(1, space.rows), {"null space by frond"});
}

template <class T>
DenseMatrixView<T> view_of(const DenseProblem& problem, const DenseMatrix<T>& a) {
    DenseMatrixView<T> view{problem.facts.rows, a.value.data(), a.rows};
    view.symmetry = problem.facts.symmetry;
    if (!problem.row_map.empty()) view.row_map = problem.row_map;
    if (problem.has_maps && problem.row_map.empty()) view.column_map = problem.column_map;
    return view;
}

/// A wrong file of right-hand sides must not cost a factorization.
template <class T>
void run_dense(const CommandLine& line, const Session& session, const DenseProblem& problem, const DenseMatrix<T>& a,
               RunFacts& facts) {
    const auto n = static_cast<index_t>(problem.facts.rows);
    facts.complex_scalar = is_complex<T>;
    facts.scalar_bytes = sizeof(T);
    facts.accepted_backward_error = accepted_backward_error<T>(line.options.solve);
    RightHandSides<T> rhs = dense_rhs<T>(line, session, n, facts);
    const Stopwatch watch;
    const CatchInterrupts caught;
    Solver<T> solver(session, line.options.analysis);
    factor_dense(solver, view_of(problem, a), line.options.factor, facts);
    if (facts.analysis != nullptr)
        facts.predicted_solve_bytes = predicted_solve_bytes<T>(*facts.analysis, 1, line.options.solve);
    const bool solves = can_solve_with(facts.factor->status);
    Solution<T> solution;
    if (solves) solution = solve_dense(solver, line, rhs, n, facts);
    facts.total_seconds = watch.seconds();
    if (facts.session.mpi_ranks > 1) facts.work_of_ranks = solver.rank_reports();
    if (!solves) return;
    together(session, [&] { write_solution(line.solution_file, solution); });
    answer_dense_questions(line, solver, facts);
}

void expect_dense_outputs(const CommandLine& line) {
    for (const std::string& file : {line.json_file, line.solution_file, line.null_space_file})
        expect_writable_file(file);
}

/// With a communicator the session comes first: what one rank cannot read, all must hear of.
DenseProblem load_dense_with_session(const CommandLine& line, std::optional<Session>& session) {
    if (line.options.session.communicator != nullptr) {
        session.emplace(line.options.session);
        together(*session, [&] { expect_dense_outputs(line); });
        return load_dense_on_ranks(*session, line);
    }
    expect_dense_outputs(line);
    DenseProblem problem = [&] {
        const StatusLine status("reading " + line.matrix);
        return load_dense_problem(line.matrix, line.symmetry, line.precision);
    }();
    session.emplace(line.options.session);
    return problem;
}

int solve_dense_and_report(const CommandLine& line, RunFacts& facts) {
    InterruptReport report(line, run_json(facts));
    std::optional<Session> session;
    const DenseProblem problem = load_dense_with_session(line, session);
    facts.matrix = problem.facts;
    facts.session = session->info();
    warn_of_tuning(facts.session);
    facts.blas_choice = blas_choice_text();
    report.stop();  // what follows stops by itself
    std::visit(
        [&]<class T>(const DenseMatrix<T>& a) {
            if constexpr (is_built<T>())
                run_dense(line, *session, problem, a, facts);
            else
                throw scalar_left_out(facts.matrix);
        },
        problem.matrix);
    session.reset();
    if (facts.session.mpi_rank > 0) return solved;
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
