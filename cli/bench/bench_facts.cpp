// SPDX-License-Identifier: BSD-3-Clause
#include "bench_facts.hpp"

#include "exit_code.hpp"
#include "frond/enum_text.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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

namespace {

using Row = std::vector<std::string>;

std::string text_of_times(const Times& times) {
    if (times.seconds.empty()) return "-";
    return text_of_seconds(times.median()) + " / " + text_of_seconds(times.minimum());
}

Row row_of(const BenchFacts& facts) {
    return {facts.matrix.title(),
            text_of_count(facts.matrix.rows),
            text_of_times(facts.analysis),
            text_of_times(facts.factor),
            text_of_times(facts.solve),
            text_of_rate(facts.flops_per_second()),
            text_of_bytes(static_cast<double>(facts.peak_bytes)),
            facts.solve.seconds.empty() ? "-" : text_of_error(facts.backward_error),
            facts.verdict};
}

// Text to the left, numbers to the right.
std::string padded(const std::string& text, std::size_t width, bool is_text) {
    const std::string blanks(width - text.size(), ' ');
    return is_text ? text + blanks : blanks + text;
}

// All rows have as many cells as the first; the first and the last are text.
std::string table_text(const std::vector<Row>& rows) {
    std::vector<std::size_t> width(rows.front().size());
    for (const Row& row : rows)
        for (std::size_t c = 0; c < width.size(); ++c) width[c] = std::max(width[c], row[c].size());
    std::string text;
    for (const Row& row : rows) {
        std::string line = " ";
        for (std::size_t c = 0; c < width.size(); ++c)
            line += (c == 0 ? " " : "   ") + padded(row[c], width[c], c == 0 || c + 1 == width.size());
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string median_text(const Times& times) { return times.seconds.empty() ? "-" : text_of_seconds(times.median()); }

std::string scaling_text(const NewValueFacts& facts) {
    const index_t known = facts.scalings_kept + facts.rescaled;
    return known == 0 ? "-" : fmt::format("{} of {}", facts.scalings_kept, known);
}

std::string scratch_text(const NewValueFacts& facts) {
    if (facts.compared_with_scratch == 0) return "-";
    return fmt::format("{} of {}", facts.compared_with_scratch - facts.other_than_from_scratch,
                       facts.compared_with_scratch);
}

Row new_values_row(const BenchFacts& facts) {
    const NewValueFacts& added = *facts.new_values;
    return {facts.matrix.title(),
            text_of_count(facts.matrix.rows),
            median_text(added.cold),
            median_text(facts.analysis),
            median_text(added.first_factor),
            median_text(added.first_solve),
            median_text(facts.factor),
            median_text(added.factor_values),
            median_text(facts.solve),
            facts.solve.seconds.empty() ? "-" : text_of_error(facts.backward_error),
            scaling_text(added),
            scratch_text(added),
            facts.verdict};
}

}  // namespace

std::string bench_table(const std::vector<BenchFacts>& facts) {
    std::vector<Row> rows{
        {"matrix", "order", "analysis", "factorization", "solve", "rate", "peak", "backward error", "verdict"}};
    for (const BenchFacts& one : facts) rows.push_back(row_of(one));
    return table_text(rows);
}

std::string new_values_table(const std::vector<BenchFacts>& facts) {
    std::vector<Row> rows{{"matrix", "order", "cold", "analysis", "first factor.", "first solve", "factorization",
                           "by values", "solve", "backward error", "scaling kept", "as from scratch", "verdict"}};
    for (const BenchFacts& one : facts) rows.push_back(new_values_row(one));
    return table_text(rows);
}

}  // namespace frond::cli
