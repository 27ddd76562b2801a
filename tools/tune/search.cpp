// SPDX-License-Identifier: BSD-3-Clause
#include "search.hpp"

#include "run/interrupt.hpp"
#include "terminal/table.hpp"
#include "tune_clock.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace frond::cli {

StatusLine TuneClock::status(const std::string& text) const {
    expect_no_interrupt();
    const double left = std::ceil(std::max(0.0, limit_ - passed()));
    return StatusLine(text + ", at most " + text_of_seconds(left) + " left");
}

namespace {

/// The share of the time limit at which the choices end, so that the verification has the rest.
constexpr double share_of_search = 0.45;
/// So many rounds of a knob are wanted, and what time is left goes into more of them.
constexpr index_t rounds_of_search = 3, most_rounds_of_search = 9, least_rounds_of_search = 2;
constexpr index_t rounds_of_verification = 15;

/// Whether there was time for it.
bool try_knob(const TunedRuns& runs, const std::vector<LoadedProblem>& problems, Knob knob, double until_seconds,
              const TuneClock& clock, SearchResult& result) {
    for (Candidate& candidate : knob.candidates) candidate.tuning = runs.settled(candidate.tuning);
    std::vector<const Tuning*> variants{&result.best};
    for (const Candidate& candidate : knob.candidates) variants.push_back(&candidate.tuning);
    const std::vector<Rounds> rounds = run_in_turns(runs, problems, variants, most_rounds_of_search, until_seconds,
                                                    clock, fmt::format("comparing choices of {}", knob.name));
    if (static_cast<index_t>(rounds.front().size()) < least_rounds_of_search) return false;
    std::vector<Comparison> comparisons;
    for (std::size_t v = 1; v < rounds.size(); ++v) comparisons.push_back(compare(rounds.front(), rounds[v]));
    const std::optional<std::size_t> best = quickest(comparisons);
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        result.trials.push_back({knob.name, knob.candidates[i].name, comparisons[i], best == i});
    if (best) result.best = knob.candidates[*best].tuning;
    return true;
}

double runs_of_search(const Measurements& measured) {
    double runs = 0;
    for (const std::string& name : knob_names(measured))
        runs += static_cast<double>(1 + knob(name, measured, {}).candidates.size());
    return runs * rounds_of_search;
}

}  // namespace

// Four times the operations take about three times as long, since sessions and analyses grow less.
double flops_for_search(const TunedRuns& runs, const Measurements& measured, double most, const TuneClock& clock) {
    constexpr double step = 4, longer = 3, smallest = 1.0 / 256;
    const double wanted = clock.limit() / 3 / std::max(1.0, runs_of_search(measured));
    double flops = smallest * most;
    for (;;) {
        const auto status = clock.status("finding the size of problems");
        const std::vector<LoadedProblem> problems = load_all(problems_to_choose_by(flops, measured.machine.cards > 0));
        const double start = clock.passed();
        runs.run(problems, nullptr);
        if (longer * (clock.passed() - start) > wanted || step * flops > most) return flops;
        flops *= step;
    }
}

// Each round begins with another variant, so that none always follows the same one.
std::vector<Rounds> run_in_turns(const TunedRuns& runs, const std::vector<LoadedProblem>& problems,
                                 const std::vector<const Tuning*>& variants, index_t most_rounds, double until_seconds,
                                 const TuneClock& clock, const std::string& what) {
    std::vector<Rounds> all(variants.size());
    const double begin = clock.passed();
    index_t done = 0;
    for (index_t round = 0; round < most_rounds; ++round) {
        std::vector<std::vector<double>> seconds(variants.size());
        for (std::size_t k = 0; k < variants.size(); ++k) {
            const std::size_t v = (k + static_cast<std::size_t>(round)) % variants.size();
            const double now = clock.passed(), mean = done > 0 ? (now - begin) / done : 0;
            if (now + mean > until_seconds) return all;
            const auto status = clock.status(fmt::format("{}, round {} of {}", what, round + 1, most_rounds));
            seconds[v] = runs.run(problems, variants[v]);
            ++done;
        }
        for (std::size_t v = 0; v < variants.size(); ++v) all[v].push_back(std::move(seconds[v]));
    }
    return all;
}

SearchResult search(const TunedRuns& runs, double flops, const Measurements& measured, const TuneClock& clock) {
    constexpr double smaller = 4;
    const auto load = [&] { return load_all(problems_to_choose_by(flops, measured.machine.cards > 0)); };
    SearchResult result;
    result.best = runs.settled({});
    std::vector<LoadedProblem> problems = load();
    const std::vector<std::string> names = knob_names(measured);
    const double start = clock.passed(), end = share_of_search * clock.limit();
    for (std::size_t k = 0; k < names.size(); ++k) {
        const double until = start + (end - start) * static_cast<double>(k + 1) / static_cast<double>(names.size());
        Knob next = knob(names[k], measured, result.best);
        if (next.candidates.empty()) continue;
        if (try_knob(runs, problems, std::move(next), until, clock, result)) continue;
        result.skipped.push_back(names[k]);
        flops /= smaller;
        problems = load();
    }
    result.flops = flops;
    return result;
}

std::optional<Verification> verify(const TunedRuns& runs, const std::vector<LoadedProblem>& problems,
                                   const Tuning& tuning, const TuneClock& clock) {
    const std::vector<Rounds> rounds = run_in_turns(runs, problems, {nullptr, &tuning, nullptr}, rounds_of_verification,
                                                    clock.limit(), clock, "verifying against the defaults");
    if (rounds.front().empty()) return std::nullopt;
    return Verification{compare(rounds[0], rounds[1]), compare(rounds[0], rounds[2])};
}

}  // namespace frond::cli
