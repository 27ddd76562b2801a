// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace frond::bench {
namespace {

using nlohmann::json;

/// "1.52 (0.97 .. 3.10)"
std::string text_of(const std::vector<double>& ratios) {
    if (ratios.empty()) return "-";
    double logarithms = 0;
    for (const double r : ratios) logarithms += std::log(r);
    const auto [least, largest] = std::minmax_element(ratios.begin(), ratios.end());
    return fmt::format("{:.2f} ({:.2f} .. {:.2f})", std::exp(logarithms / static_cast<double>(ratios.size())), *least,
                       *largest);
}

std::vector<double> ratios_of(const std::vector<json>& rows, const std::string& solver, const std::string& key) {
    std::vector<double> ratios;
    for (const json& r : rows)
        if (r["solver"] == solver && number(r, key) > 0) ratios.push_back(number(r, key));
    return ratios;
}

std::vector<double> against_own_first(const std::vector<json>& rows, const std::string& solver) {
    std::vector<double> ratios;
    for (const json& r : rows)
        if (r["solver"] == solver && number(r, "factor_first_seconds") > 0)
            ratios.push_back(number(r, "factor_seconds") / number(r, "factor_first_seconds"));
    return ratios;
}

/// In the order of their first rows.
std::vector<std::string> solvers_of(const std::vector<json>& rows) {
    std::vector<std::string> solvers;
    for (const json& r : rows) {
        const std::string solver = r["solver"];
        if (std::find(solvers.begin(), solvers.end(), solver) == solvers.end()) solvers.push_back(solver);
    }
    return solvers;
}

}  // namespace

void print_summary(const std::vector<json>& rows, const std::string& base) {
    fmt::print(
        "\nratios of seconds to those of {}, geometric mean (least .. largest); \"later\": its "
        "factorizations after the first to its own first\n{:<30}{:>9}{:>25}{:>25}{:>25}{:>25}"
        "{:>25}\n",
        base, "solver", "matrices", "analyse", "factor", "solve", "cold", "later");
    for (const std::string& solver : solvers_of(rows)) {
        const std::vector<double> own = against_own_first(rows, solver);
        fmt::print("{:<30}{:>9}{:>25}{:>25}{:>25}{:>25}{:>25}\n", solver, own.size(),
                   text_of(ratios_of(rows, solver, "analysis_seconds_ratio")),
                   text_of(ratios_of(rows, solver, "factor_seconds_ratio")),
                   text_of(ratios_of(rows, solver, "solve_seconds_ratio")),
                   text_of(ratios_of(rows, solver, "cold_seconds_ratio")), text_of(own));
    }
}

}  // namespace frond::bench
