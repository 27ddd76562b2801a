// SPDX-License-Identifier: BSD-3-Clause
#include "comparison.hpp"

#include "frond/base/error.hpp"
#include "run/interrupt.hpp"
#include "terminal/clock.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace frond::cli {
namespace {

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : std::sqrt(values[half - 1] * values[half]);
}

double ratio_of(double other, double base) {
    if (!(base > 0) || !(other > 0))
        throw InvalidArgument(
            fmt::format("times of {} and {} s cannot be compared; they must be positive", base, other));
    return other / base;
}

/// From 1, up or down.
double largest_deviation(const Comparison& comparison) {
    double largest = 1;
    for (const double ratio : comparison.ratios) largest = std::max({largest, ratio, 1 / ratio});
    return largest;
}

}  // namespace

// The median of ratios, not the ratio of medians: a machine that others slow down for a while does so to both runs of a
// round.
Comparison compare(const Rounds& base, const Rounds& other) {
    const std::size_t rounds = std::min(base.size(), other.size());
    if (rounds == 0 || base.front().empty()) throw InvalidArgument("there is no round of runs to compare");
    Comparison result;
    result.rounds = static_cast<index_t>(rounds);
    double logarithms = 0;
    for (std::size_t p = 0; p < base.front().size(); ++p) {
        std::vector<double> of_rounds;
        for (std::size_t r = 0; r < rounds; ++r) of_rounds.push_back(ratio_of(other[r].at(p), base[r].at(p)));
        result.ratios.push_back(median_of(std::move(of_rounds)));
        logarithms += std::log(result.ratios.back());
    }
    result.mean_ratio = std::exp(logarithms / static_cast<double>(result.ratios.size()));
    result.largest_ratio = *std::max_element(result.ratios.begin(), result.ratios.end());
    return result;
}

std::optional<std::size_t> quickest(const std::vector<Comparison>& comparisons) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
        const Comparison& one = comparisons[i];
        if (one.mean_ratio > worthwhile_ratio || one.largest_ratio > largest_loss) continue;
        if (!best || one.mean_ratio < comparisons[*best].mean_ratio) best = i;
    }
    return best;
}

std::string why_not_kept(const Comparison& comparison, const Comparison& repeated,
                         const std::vector<std::string>& problems) {
    if (comparison.rounds < least_rounds)
        return fmt::format("{} rounds of runs in turns, of {} that a decision needs; give more time by --time-limit",
                           comparison.rounds, least_rounds);
    if (const double noise = largest_deviation(repeated); noise > largest_noise)
        return fmt::format(
            "times are noise here: the defaults differ from themselves by a factor of {:.3f}, and {} is "
            "the most that is accepted; run it while nothing else runs",
            noise, largest_noise);
    if (comparison.largest_ratio > largest_loss) {
        const auto worst = std::max_element(comparison.ratios.begin(), comparison.ratios.end());
        return fmt::format("{} takes {:.3f} of the time with the defaults, and {} is the most that is accepted",
                           problems.at(static_cast<std::size_t>(worst - comparison.ratios.begin())), *worst,
                           largest_loss);
    }
    if (comparison.mean_ratio > worthwhile_ratio)
        return fmt::format("{:.3f} of the time with the defaults in the mean, and above {} it may be noise",
                           comparison.mean_ratio, worthwhile_ratio);
    return {};
}

namespace {

/// Short runs differ more from one to the next, so that there are more of them.
constexpr double least_seconds_timed = 0.2;
constexpr int most_runs = 8;

double factor_and_solve(Solver<double>& solver, const LoadedProblem& loaded, const FactorOptions& options,
                        const std::vector<double>& b, std::vector<double>& x) {
    const Stopwatch watch;
    solver.factor(loaded.matrix, options);
    static_cast<void>(solver.solve(b, x));
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
