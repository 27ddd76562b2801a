// SPDX-License-Identifier: BSD-3-Clause
#include "study_cases.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/solver.hpp"
#include "run/interrupt.hpp"
#include "run/problem.hpp"
#include "run/run_facts.hpp"
#include "run/run_problem.hpp"

namespace frond::cli {
namespace {

bool ran_on_cards(const FactorReport& report) { return report.place.on_device || report.place.bytes_to_devices > 0; }

/// For a tree on cards a later factorization is simulated: its tables are there, its kernels recorded, its memory
/// known.
template <class T>
RealRun factor_really(const CommandLine& line, const Session& session, const AnalysisOptions& analysis,
                      const SharedMatrix<T>& a) {
    constexpr int later = 4;
    Solver<T> solver(session, analysis);
    solver.analyze(a);
    FactorOptions options = line.options.factor;
    options.cancel = &interrupt_flag();
    const FactorReport* report = &solver.factor(a, options);
    for (int k = 0; k < later && ran_on_cards(*report); ++k) report = &solver.factor_values(a->value, options);
    return {report->seconds, ran_on_cards(*report)};
}

/// The command line of a real run as the simulation has it, so that both have the same tree.
CommandLine real_line(const Options& options, const StudyCase& one, bool with_cards) {
    CommandLine line;
    line.options = options;
    line.options.session.scheduler = one.scheduler;
    if (!with_cards) line.options.session.gpus = 0;
    line.options.session.tuning = "off";
    line.options.analysis.tile_size = static_cast<index_t>(std::stol(one.tile_size));
    return line;
}

}  // namespace

RealRun run_really(const Options& options, const StudyCase& one, bool with_cards) {
    const CommandLine line = real_line(options, one, with_cards);
    const Problem problem = load_problem(one.matrix, Precision::double_precision);
    const AnalysisOptions analysis = analysis_options_of(line, problem);
    const Session session(line.options.session);
    return std::visit(
        [&]<class T>(const SharedMatrix<T>& a) -> RealRun {
            if constexpr (is_built<T>())
                return factor_really(line, session, analysis, a);
            else
                throw scalar_left_out(problem.facts);
        },
        problem.matrix);
}

}  // namespace frond::cli
