// SPDX-License-Identifier: BSD-3-Clause
// What may be asked of the factors in addition to X: the condition and the null space.
#pragma once

#include "arguments/output_paths.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_market.hpp"
#include "frond/null_space.hpp"
#include "frond/solver.hpp"
#include "interrupt.hpp"
#include "run_error.hpp"
#include "run_facts.hpp"
#include "terminal/status_line.hpp"

#include <algorithm>

namespace frond::cli {

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

}  // namespace frond::cli
