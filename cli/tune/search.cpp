// SPDX-License-Identifier: BSD-3-Clause
#include "search.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace frond::cli {
namespace {

/// Of the time limit: where the choices end, so that the verification has the rest.
constexpr double share_of_search = 0.6;
constexpr index_t rounds_of_search = 3, least_rounds_of_search = 2, rounds_of_verification = 9;

/// Whether there was time for it.
bool try_knob(const TunedRuns& runs, const std::vector<LoadedProblem>& problems, Knob knob, double until_seconds,
              const TuneClock& clock, SearchResult& result) {
    for (Candidate& candidate : knob.candidates) candidate.tuning = runs.settled(candidate.tuning);
    std::vector<const Tuning*> variants{&result.best};
    for (const Candidate& candidate : knob.candidates) variants.push_back(&candidate.tuning);
    const std::vector<Rounds> rounds = run_in_turns(runs, problems, variants, rounds_of_search, until_seconds, clock,
                                                    fmt::format("comparing choices of {}", knob.name));
    if (static_cast<index_t>(rounds.front().size()) < least_rounds_of_search) return false;
    std::vector<Comparison> comparisons;
    for (std::size_t v = 1; v < rounds.size(); ++v) comparisons.push_back(compare(rounds.front(), rounds[v]));
    const std::optional<std::size_t> best = quickest(comparisons);
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        result.trials.push_back({knob.name, knob.candidates[i].name, comparisons[i], best == i});
    if (best) result.best = knob.candidates[*best].tuning;
    return true;
}

}  // namespace

// Each round begins with another variant, so that none always follows the same one.
std::vector<Rounds> run_in_turns(const TunedRuns& runs, const std::vector<LoadedProblem>& problems,
                                 const std::vector<const Tuning*>& variants, index_t most_rounds, double until_seconds,
                                 const TuneClock& clock, const std::string& what) {
    std::vector<Rounds> all(variants.size());
    double longest = 0;  // of a run
    for (index_t round = 0; round < most_rounds; ++round) {
        std::vector<std::vector<double>> seconds(variants.size());
        for (std::size_t k = 0; k < variants.size(); ++k) {
            const std::size_t v = (k + static_cast<std::size_t>(round)) % variants.size();
            const double start = clock.passed();
            if (start + longest > until_seconds) return all;
            const auto status = clock.status(fmt::format("{}, round {} of {}", what, round + 1, most_rounds));
            seconds[v] = runs.run(problems, variants[v]);
            longest = std::max(longest, clock.passed() - start);
        }
        for (std::size_t v = 0; v < variants.size(); ++v) all[v].push_back(std::move(seconds[v]));
    }
    return all;
}

SearchResult search(const TunedRuns& runs, const std::vector<LoadedProblem>& problems, const Measurements& measured,
                    const TuneClock& clock) {
    SearchResult result;
    result.best = runs.settled({});
    const std::vector<std::string> names = knob_names(measured);
    const double start = clock.passed(), end = share_of_search * clock.limit();
    for (std::size_t k = 0; k < names.size(); ++k) {
        const double until = start + (end - start) * static_cast<double>(k + 1) / static_cast<double>(names.size());
        Knob next = knob(names[k], measured, result.best);
        if (next.candidates.empty()) continue;
        if (!try_knob(runs, problems, std::move(next), until, clock, result)) result.skipped.push_back(names[k]);
    }
    return result;
}

std::optional<Comparison> verify(const TunedRuns& runs, const std::vector<LoadedProblem>& problems,
                                 const Tuning& tuning, const TuneClock& clock) {
    const std::vector<Rounds> rounds = run_in_turns(runs, problems, {nullptr, &tuning}, rounds_of_verification,
                                                    clock.limit(), clock, "verifying against the defaults");
    if (rounds.front().empty()) return std::nullopt;
    return compare(rounds[0], rounds[1]);
}

}  // namespace frond::cli
