// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include "frond/session.hpp"
#include "growth.hpp"

#include <fmt/core.h>

#include <cmath>
#include <map>

namespace frond::bench {
namespace {

using nlohmann::json;

std::string text(const json& r, const char* key) {
    if (!r.contains(key)) return "";
    return r[key].is_string() ? r[key].get<std::string>() : r[key].dump();
}

/// "1.2e-16", "inf", or nothing when it was not computed.
std::string small(const json& r, const char* key) {
    if (!r.contains(key)) return "";
    const double value = number(r, key);
    return std::isfinite(value) ? fmt::format("{:.1e}", value) : "inf";
}

std::string seconds(const json& r, const char* key) {
    return r.contains(key) ? fmt::format("{:.3f}", number(r, key)) : "";
}

std::string growth_text(const json& r) { return growth(r) > 0 ? fmt::format("{:.2f}", growth(r)) : ""; }

/// The share of the bytes that the prediction gave for the factorization.
std::string of_prediction(const json& r, const char* key) {
    return r.contains(key) ? fmt::format("{:.2f}", number(r, key) / number(r, "peak_bytes_predicted")) : "";
}

std::string mebibytes(const json& r, const char* key) {
    return r.contains(key) ? fmt::format("{:.0f}", number(r, key) / (1 << 20)) : "";
}

/// "-12 0 +30": eigenvalues below, at and above zero.
std::string inertia(const json& r) {
    if (!r.contains("inertia")) return "";
    const json& i = r["inertia"];
    return fmt::format("-{} {} +{}", i[0].dump(), i[1].dump(), i[2].dump());
}

struct Column {
    const char* name;
    int width;
    std::string (*value)(const json& r);
};

constexpr Column columns[] = {
    {"rows", 8, [](const json& r) { return text(r, "rows"); }},
    {"entries", 9, [](const json& r) { return text(r, "entries"); }},
    {"kind", 6, [](const json& r) { return text(r, "kind"); }},
    {"status", 10, [](const json& r) { return text(r, "status"); }},
    {"delayed", 8, [](const json& r) { return text(r, "delayed"); }},
    {"2nd pass", 9, [](const json& r) { return text(r, "second_pass"); }},
    {"2x2", 7, [](const json& r) { return text(r, "two_by_two"); }},
    {"growth", 7, growth_text},
    {"null", 5, [](const json& r) { return text(r, "null_pivots"); }},
    {"inertia", 22, inertia},
    {"rcond", 8, [](const json& r) { return small(r, "reciprocal_condition"); }},
    {"MiB", 6, [](const json& r) { return mebibytes(r, "peak_bytes"); }},
    {"peak", 6, [](const json& r) { return of_prediction(r, "peak_bytes"); }},
    {"process", 8, [](const json& r) { return of_prediction(r, "process_peak_bytes"); }},
    {"analyse", 8, [](const json& r) { return seconds(r, "analysis_seconds"); }},
    {"factor", 8, [](const json& r) { return seconds(r, "factor_seconds"); }},
    {"solve", 8, [](const json& r) { return seconds(r, "solve_seconds"); }},
    {"ref", 4, [](const json& r) { return text(r, "refinement_steps"); }},
    {"kry", 4, [](const json& r) { return text(r, "krylov_iterations"); }},
    {"normwise", 9, [](const json& r) { return small(r, "backward_error"); }},
    {"component", 10, [](const json& r) { return small(r, "componentwise_backward_error"); }},
    {"checked by", 27, [](const json& r) { return text(r, "checked_by"); }},
};

std::string verdict_text(const json& r) {
    return text(r, "verdict") + (r.contains("error") ? ": " + text(r, "error") : "");
}

std::string markdown_table(const std::vector<json>& results, const std::string& kind) {
    std::string head = "| matrix |", rule = "|---|", body;
    for (const Column& c : columns) {
        if (c.name == std::string("kind")) continue;
        head += fmt::format(" {} |", c.name);
        rule += "---:|";
    }
    for (const json& r : results) {
        if (text(r, "kind") != kind || text(r, "verdict") == "skipped") continue;
        body += fmt::format("| {} |", text(r, "name"));
        for (const Column& c : columns)
            if (c.name != std::string("kind")) body += fmt::format(" {} |", c.value(r));
        body += fmt::format(" {} |\n", verdict_text(r));
    }
    return body.empty() ? "" : head + " verdict |\n" + rule + "---|\n" + body;
}

std::string counts(const std::vector<json>& results) {
    std::map<std::string, int> count;
    for (const json& r : results) ++count[text(r, "verdict")];
    std::string line;
    for (const auto& [name, n] : count) line += fmt::format("{}{} {}", line.empty() ? "" : ", ", n, name);
    return line;
}

/// How many ranks and inertias stand against others.
std::string checked_facts(const std::vector<json>& results) {
    int ranks = 0, deficient = 0, inertias = 0, by_mumps = 0;
    for (const json& r : results) {
        ranks += r.contains("expected_nullity");
        deficient += r.contains("expected_nullity") && number(r, "expected_nullity") > 0;
        inertias += r.contains("expected_inertia");
        by_mumps += r.contains("expected_negative");
    }
    return fmt::format(
        "{} ranks ({} of singular matrices) and {} inertias were also computed in "
        "other ways: by exact "
        "elimination of integers modulo 2^61 - 1, as published, and from all "
        "eigenvalues of matrices with at most "
        "1200 rows; MUMPS counted the negative eigenvalues of {} matrices.\n",
        ranks, deficient, inertias, by_mumps);
}

std::string preface(const Bounds& bounds, const std::string& command) {
    const SessionInfo info = Session().info();
    return fmt::format(
        "# Threshold pivoting on real matrices\n\n"
        "<!-- Written by {}. -->\n\n"
        "A x = b with b = A x of a known x; {} CPU workers, {} with {} kernels, StarPU {}.\n\n"
        "**Verdict**. solved: backward errors at most {:.0e} componentwise and {:.0e} normwise, "
        "singular "
        "matrices included, of which b is in the range; reported: not so, and Frond said it, by a "
        "status of the factors other than success or a solve that is not converged; WRONG: "
        "neither, or null pivots or inertia not as expected.\n\n"
        "**Columns**. delayed: columns handed to a parent front, counted each time. 2nd pass: "
        "columns that "
        "the first pass gave back. growth: factor entries over those predicted. null: null pivots "
        "found. "
        "inertia: eigenvalues below, at and above zero. rcond: reciprocal condition, estimated in "
        "the 1-norm; 0 where the status is singular. MiB: peak of the factorization as "
        "accounted; peak: over "
        "the one predicted; process: what the process grew to above its size before the analysis, "
        "over the one "
        "predicted. Times in seconds. ref, kry: steps of refinement, iterations of GMRES. checked "
        "by: the ways in "
        "which rank or inertia were found apart from Frond.\n",
        command, info.cpu_workers, info.blas, info.blas_kernel, info.starpu_version, bounds.componentwise,
        bounds.normwise);
}

}  // namespace

std::string table_head() {
    std::string line = fmt::format("{:<34}", "matrix");
    for (const Column& c : columns) line += fmt::format("{:>{}}", c.name, c.width);
    return line + "  verdict";
}

std::string table_row(const json& r) {
    std::string line = fmt::format("{:<34}", text(r, "name"));
    for (const Column& c : columns) line += fmt::format("{:>{}}", c.value(r), c.width);
    return line + "  " + verdict_text(r);
}

std::string markdown_page(const std::vector<json>& results, const Bounds& bounds, const std::string& command) {
    std::string page = preface(bounds, command);
    int definite = 0;
    for (const json& r : results) definite += text(r, "kind") == "LL^T" && text(r, "verdict") == "solved";
    page += fmt::format("\nAll in all {}; {} of those solved are positive definite and not listed.\n", counts(results),
                        definite);
    page += checked_facts(results);
    for (const char* kind : {"LDL^T", "LDL^H", "LU", ""}) {
        const std::string table = markdown_table(results, kind);
        if (!table.empty()) page += fmt::format("\n## {}\n\n{}", *kind ? kind : "Without factors", table);
    }
    return page + "\n" + growth_section(results);
}

}  // namespace frond::bench
