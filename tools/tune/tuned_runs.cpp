// SPDX-License-Identifier: BSD-3-Clause
#include "tuned_runs.hpp"

#include "run/interrupt.hpp"
#include "run/stopwatch.hpp"

#include <algorithm>
#include <limits>

namespace frond::cli {
namespace {

/// Short runs differ more from one to the next, so that there are more of them.
constexpr double least_seconds_timed = 0.2;
constexpr int most_runs = 8;

double factor_and_solve(Solver<double>& solver, const LoadedProblem& loaded, const FactorOptions& options,
                        const std::vector<double>& b, std::vector<double>& x) {
    const Stopwatch watch;
    solver.factor(loaded.matrix, options);
    solver.solve(b, x);
    return watch.seconds();
}

double seconds_of(const LoadedProblem& loaded, const Session& session) {
    AnalysisOptions analysis;
    analysis.factorization = loaded.problem.factorization;
    FactorOptions factor;
    factor.place = loaded.problem.place;
    factor.cancel = &interrupt_flag();
    Solver<double> solver(session, analysis);
    solver.analyze(loaded.matrix);
    const std::vector<double> b(static_cast<std::size_t>(loaded.matrix->rows()), 1.0);
    std::vector<double> x(b.size());
    factor_and_solve(solver, loaded, factor, b, x);  // new memory, kernels of a card that are recorded
    double least = std::numeric_limits<double>::infinity(), timed = 0;
    for (int k = 0; k < most_runs && timed < least_seconds_timed; ++k) {
        const double seconds = factor_and_solve(solver, loaded, factor, b, x);
        least = std::min(least, seconds);
        timed += seconds;
    }
    return least;
}

}  // namespace

Session TunedRuns::session_with(const std::string& tuning) const {
    SessionOptions options = session_;
    options.tuning = tuning;
    return Session(options);
}

Tuning TunedRuns::settled(Tuning tuning) const {
    tuning.machine = machine_;
    tuning.workers = 1;
    tuning.workers = session_with(file_of(&tuning)).info().cpu_workers;
    return tuning;
}

/// For SessionOptions::tuning.
std::string TunedRuns::file_of(const Tuning* tuning) const {
    if (tuning == nullptr) return "off";
    const std::string file = folder_.path() + "/tuning.json";
    write_tuning(*tuning, file);
    return file;
}

std::vector<double> TunedRuns::run(const std::vector<LoadedProblem>& problems, const Tuning* tuning) const {
    const Session session = session_with(file_of(tuning));
    std::vector<double> seconds;
    for (const LoadedProblem& problem : problems) seconds.push_back(seconds_of(problem, session));
    return seconds;
}

}  // namespace frond::cli
