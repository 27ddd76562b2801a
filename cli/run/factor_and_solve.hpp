// SPDX-License-Identifier: BSD-3-Clause
// Solutions as a run computes, compares and writes them.
#pragma once

#include "frond/base/error.hpp"
#include "frond/base/types.hpp"
#include "frond/matrix/matrix_market.hpp"
#include "frond/solver.hpp"
#include "interrupt.hpp"
#include "problem.hpp"
#include "ranks/shared_problem.hpp"
#include "run/interrupt.hpp"
#include "run/run_facts.hpp"
#include "run_facts.hpp"
#include "terminal/terminal.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace frond::cli {

template <class T>
struct Solution {
    index_t rows = 0;  // on this rank
    index_t count = 0;
    std::vector<T> x;
    bool complex_pairs = false;  // as of the right-hand sides
};

/// max |x - known| / max |known|
template <class T>
double forward_error(const std::vector<T>& x, const std::vector<T>& known) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        difference = std::max(difference, static_cast<double>(std::abs(x[i] - known[i])));
        size = std::max(size, static_cast<double>(std::abs(known[i])));
    }
    return size > 0 ? difference / size : difference;
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

/// Writes the solution as a Matrix Market array; file: empty: not at all.
template <class T>
void write_solution(const std::string& file, const Solution<T>& solution) {
    if (file.empty()) return;
    if constexpr (!is_complex<T>)
        if (solution.complex_pairs) return write_solution(file, with_joined_parts(solution));
    const AwaitedReader reader(file);
    write_matrix_market(file, solution.rows, solution.count, solution.x.data(), std::max<count_t>(1, solution.rows),
                        {"solution by frond"});
}

/// Factors a sparse or a dense matrix, with a progress bar where somebody sees it, until the user interrupts.
template <class T, class Matrix>
void factor_with_progress(Solver<T>& solver, const Matrix& a, FactorOptions options, RunFacts& facts) {
    ProgressBar bar("factorization");
    options.cancel = &interrupt_flag();
    if (bar.visible_on_this_stream()) options.progress = [&bar](const Progress& progress) { bar.update(progress); };
    try {
        facts.factor = solver.factor(a, options);
    } catch (const InvalidMatrix& error) {  // the library knows no file
        throw InvalidMatrix(facts.matrix.name + ": " + error.what(), facts.matrix.name);
    }
}

/// B on the ranks that have rows of it, before the matrix is factored. Where the ranks have parts of A, random X are
/// made here and their B when A is known.
template <class T>
RightHandSides<T> right_hand_sides(const CommandLine& line, const Session& session, const SparseMatrix<T>& a,
                                   RunFacts& facts) {
    facts.right_hand_sides = line.rhs_file.empty() ? "of known random solutions" : line.rhs_file;
    RightHandSides<T> rhs;
    together(session, [&] {
        if (line.rhs_by_rank)
            rhs = read_rows_of_rhs<T>(line.rhs_file);
        else if (facts.session.mpi_rank == 0)
            rhs = line.matrix_by_rank && line.rhs_file.empty() ? random_solutions<T>(a.rows(), line.random_rhs)
                                                               : rhs_of(line, a);
    });
    share_shape(session, rhs);
    if (rhs.complex_pairs) facts.right_hand_sides += ", real and imaginary parts";
    return rhs;
}

/// B := op(A) X of the random X that rank 0 made.
template <class T>
void multiply_known(const Solver<T>& solver, const CommandLine& line, RightHandSides<T>& rhs) {
    if (!line.matrix_by_rank || !line.rhs_file.empty()) return;
    const index_t rows = rhs.rows();
    solver.multiply(line.options.solve.operation, {rhs.known_x.data(), rows, rhs.count},
                    {rhs.b.data(), rows, rhs.count});
}

template <class T>
Solution<T> solve_right_hand_sides(Solver<T>& solver, const RightHandSides<T>& rhs, const CommandLine& line, index_t n,
                                   RunFacts& facts) {
    SolveOptions options = line.options.solve;
    const index_t rhs_rows = rhs.rows(), rows = solution_rows(line, facts.session, n, rhs_rows);
    Solution<T> solution{rows, rhs.count, {}, rhs.complex_pairs};
    solution.x.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rhs.count));
    options.cancel = &interrupt_flag();
    facts.solve = solver.solve(BlockView<const T>{rhs.b.data(), rhs_rows, rhs.count, rhs_rows},
                               BlockView<T>{solution.x.data(), rows, rhs.count, rows}, options);
    facts.solve_is_part = options.part != SolvePart::all;
    if (!rhs.known_x.empty() && !facts.solve_is_part && rows == rhs_rows)
        facts.forward_error = forward_error(solution.x, rhs.known_x);
    return solution;
}

template <class T>
Solution<T> factor_and_solve(Solver<T>& solver, const CommandLine& line, const SharedMatrix<T>& a,
                             RightHandSides<T>& rhs, RunFacts& facts) {
    factor_with_progress(solver, a, line.options.factor, facts);
    facts.analysis = solver.analysis();  // another one when L L^T gave way to L D L^T
    if (!can_solve_with(facts.factor->status)) return {};
    multiply_known(solver, line, rhs);
    const StatusLine status("solving");
    Solution<T> solution = solve_right_hand_sides(solver, rhs, line, a->rows(), facts);
    facts.factor = solver.factor_report();  // others when the solve escalated
    return solution;
}

}  // namespace frond::cli
