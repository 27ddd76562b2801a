// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"
#include "frond/matrix/operations.hpp"
#include "frond/solver.hpp"
#include "problem.hpp"
#include "ranks/together.hpp"
#include "run_facts.hpp"
#include "stopwatch.hpp"
#include "terminal/status_line.hpp"

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

}  // namespace frond::cli
