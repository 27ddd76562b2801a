// SPDX-License-Identifier: BSD-3-Clause
#include "bench_facts.hpp"
#include "terminal/units.hpp"

#include <algorithm>
#include <array>

namespace frond::cli {
namespace {

constexpr std::size_t columns = 9;
using Row = std::array<std::string, columns>;

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

} // namespace

std::string bench_table(const std::vector<BenchFacts>& facts) {
    std::vector<Row> rows{{"matrix", "order", "analysis", "factorization", "solve", "rate", "peak",
                           "backward error", "verdict"}};
    for (const BenchFacts& one : facts) rows.push_back(row_of(one));
    std::array<std::size_t, columns> width{};
    for (const Row& row : rows)
        for (std::size_t c = 0; c < columns; ++c) width[c] = std::max(width[c], row[c].size());
    std::string text;
    for (const Row& row : rows) {
        std::string line = " ";
        for (std::size_t c = 0; c < columns; ++c)
            line += (c == 0 ? " " : "   ") + padded(row[c], width[c], c == 0 || c + 1 == columns);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

} // namespace frond::cli
