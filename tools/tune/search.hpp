// SPDX-License-Identifier: BSD-3-Clause
// Choices one after the other, and the verification of all of them together.
#pragma once

#include "candidates.hpp"
#include "comparison.hpp"
#include "frond/session.hpp"
#include "tune_clock.hpp"

#include <optional>
#include <string>
#include <vector>

namespace frond::cli {

/// One candidate against the best choice so far.
struct Trial {
    std::string knob, name;
    Comparison comparison;
    bool taken = false;
};

struct SearchResult {
    Tuning best;  // with the defaults where nothing gained
    std::vector<Trial> trials;
    std::vector<std::string> skipped;  // knobs that there was no time for
    double flops = 0;  // of the problems in the end
};

/// Runs of variants in turns, null: the defaults. Rounds end with `most_rounds`, or before one that would go beyond
/// until_seconds of the clock if it took as long as runs did in the mean; one that is not complete is left out. Rounds of each variant.
std::vector<Rounds> run_in_turns(const TunedRuns& runs, const std::vector<LoadedProblem>& problems,
                                 const std::vector<const Tuning*>& variants, index_t most_rounds, double until_seconds,
                                 const TuneClock& clock, const std::string& what);

/// Operations of each problem, at most `most`, such that all rounds of all choices take about a third of the time limit:
/// found by runs with the defaults, since a machine that others use as well is slower than its kernels.
double flops_for_search(const TunedRuns& runs, const Measurements& measured, double most, const TuneClock& clock);

/// Takes what gains, knob after knob, until a share of the clock's time has passed, on problems of so many operations. Where
/// a knob had no time, which a machine does to it that others begin to use, the next ones have smaller problems.
SearchResult search(const TunedRuns& runs, double flops, const Measurements& measured, const TuneClock& clock);

/// Against the defaults, in the same rounds.
struct Verification {
    Comparison tuned;
    Comparison repeated;  // the defaults once more
};

/// What has been found against the defaults, on other problems; none: not even one round had time.
std::optional<Verification> verify(const TunedRuns& runs, const std::vector<LoadedProblem>& problems,
                                   const Tuning& tuning, const TuneClock& clock);

/// What the tuning of a session with so many cards starts from: a dense matrix is factored with tiles of several orders,
/// and small problems for what tasks cost. `clock`: a tenth of its time is used, once each size has been measured.
Measurements measure_machine(const SessionOptions& session, const TuneClock& clock);

}  // namespace frond::cli
