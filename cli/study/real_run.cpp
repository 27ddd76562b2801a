// SPDX-License-Identifier: BSD-3-Clause
#include "real_run.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/solver.hpp"
#include "run/interrupt.hpp"
#include "run/problem.hpp"
#include "run/run_facts.hpp"
#include "run/run_problem.hpp"

namespace frond::cli {

double real_seconds(const Options& options, const StudyCase& one) {
    CommandLine line;
    line.options = options;
    line.options.session.scheduler = one.scheduler;
    line.options.session.gpus = 0;
    line.options.session.tuning = "off";  // as in the simulation, so that both have the same tree
    line.options.analysis.tile_size = static_cast<index_t>(std::stol(one.tile_size));
    const Problem problem = load_problem(one.matrix, Precision::double_precision);
    const AnalysisOptions analysis = analysis_options_of(line, problem);
    const Session session(line.options.session);
    return std::visit(
        [&]<class T>(const SharedMatrix<T>& a) -> double {
            if constexpr (is_built<T>()) {
                Solver<T> solver(session, analysis);
                solver.analyze(a);
                FactorOptions factor = line.options.factor;
                factor.cancel = &interrupt_flag();
                return solver.factor(a, factor).seconds;
            } else {
                throw scalar_left_out(problem.facts);
            }
        },
        problem.matrix);
}

}  // namespace frond::cli
