// SPDX-License-Identifier: BSD-3-Clause
#include "bench_facts.hpp"

#include "exit_code.hpp"
#include "frond/enum_text.hpp"

#include <algorithm>
#include <cmath>

namespace frond::cli {

std::string verdict_of(const RunFacts& run) {
    const bool perturbed_only = run.factor->status == FactorStatus::perturbed;
    if (run.factor->status != FactorStatus::success && !perturbed_only) return to_string(run.factor->status);
    if (exit_code_of(run) == badly_conditioned) return "ill_conditioned";
    if (exit_code_of(run) != solved) return "inaccurate";
    return perturbed_only ? "perturbed" : "solved";
}

double Times::median() const {
    if (seconds.empty()) return 0;
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double Times::minimum() const { return seconds.empty() ? 0 : *std::min_element(seconds.begin(), seconds.end()); }

double BenchFacts::flops_per_second() const { return factor.median() > 0 ? flops / factor.median() : 0; }

void add_run(BenchFacts& bench, const RunFacts& run) {
    bench.analysis.seconds.push_back(run.analysis->report.seconds);
    bench.factor.seconds.push_back(run.factor->seconds);
    if (run.solve) bench.solve.seconds.push_back(run.solve->seconds);
    add_outcome(bench, run);
}

void add_outcome(BenchFacts& bench, const RunFacts& run) {
    bench.matrix = run.matrix;
    bench.flops = run.factor->work.flops;
    bench.peak_bytes = std::max(bench.peak_bytes, run.factor->memory.peak_bytes);
    if (run.solve) {
        const double error = run.solve->componentwise_backward_error;
        if (std::isnan(error) || error > bench.backward_error) bench.backward_error = error;
    }
    const int exit_code = exit_code_of(run);
    if (bench.verdict.empty() || exit_code > bench.exit_code) bench.verdict = verdict_of(run);
    bench.exit_code = std::max(bench.exit_code, exit_code);
}

}  // namespace frond::cli
