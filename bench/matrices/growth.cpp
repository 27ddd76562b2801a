// SPDX-License-Identifier: BSD-3-Clause
#include "growth.hpp"

#include "solve_file.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace frond::bench {
namespace {

using nlohmann::json;

constexpr double limit = 2;

/// 0 when the result does not have it.
double count(const json& r, const char* key) { return r.contains(key) ? number(r, key) : 0; }

std::string whole(double value) { return fmt::format("{:.0f}", value); }

/// From the numbers alone, the strongest reason first.
std::string reasons(const json& r) {
    const double rows = count(r, "rows"), null = count(r, "null_pivots"), delayed = count(r, "delayed");
    // A column counts in the second pass of each front that it waits in.
    const double zero = count(r, "zero_diagonals"), given_back = count(r, "second_pass") - delayed;
    constexpr double most = 0.5;
    std::string text;
    const auto add = [&](const std::string& reason) { text += (text.empty() ? "" : "; ") + reason; };
    if (null > 0 && zero > 0)
        add(
            fmt::format("{:.0f} null columns, of {:.0f} with a zero diagonal, wait until their "
                        "neighbours are eliminated or they are seen to depend on others",
                        null, zero));
    else if (null > 0)
        add(
            fmt::format("{:.0f} null columns wait until their neighbours are eliminated or they "
                        "are seen to depend on others",
                        null));
    else if (zero > 0)
        add(fmt::format("{:.0f} columns with a zero diagonal wait for a partner", zero));
    if (delayed > 0)
        add(fmt::format("{:.0f} delays, {:.1f} for each column given back", delayed,
                        delayed / std::max(given_back, 1.0)));
    if (given_back >= most * rows)
        add(
            fmt::format("{:.0f} % of the columns were given back, in subtrees all of a front as soon as one "
                        "fails",
                        100 * std::min(1.0, given_back / rows)));
    return text.empty() ? "pivots below the threshold" : text;
}

std::string row(const json& r) {
    return fmt::format("| {} | {} | {:.2f} | {} | {} | {} | {} | {} |\n", r["name"].get<std::string>(),
                       whole(count(r, "rows")), growth(r), whole(count(r, "null_pivots")),
                       whole(count(r, "zero_diagonals")), whole(count(r, "delayed")), whole(count(r, "second_pass")),
                       reasons(r));
}

}  // namespace

double growth(const json& r) {
    const double predicted = count(r, "predicted_entries");
    return predicted > 0 && r.contains("factor_entries") ? number(r, "factor_entries") / predicted : 0;
}

std::string growth_section(const std::vector<json>& results) {
    std::string rows;
    int of = 0, singular = 0, listed = 0;
    for (const json& r : results) {
        of += growth(r) > 0;
        if (growth(r) <= limit) continue;
        ++listed;
        singular += count(r, "null_pivots") > 0;
        rows += row(r);
    }
    return fmt::format("## Growth above {:.0f}\n\n", limit) +
           fmt::format("{} of {} matrices, {} of them singular.\n", listed, of, singular) +
           (rows.empty() ? ""
                         : "\n| matrix | rows | growth | null | zero diagonal | delayed | 2nd pass "
                           "| reason |\n"
                           "|---|---:|---:|---:|---:|---:|---:|---|\n" +
                               rows);
}

}  // namespace frond::bench
