// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include "measurement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

namespace frond::bench {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 19> number_keys{"analysis_seconds",
                                                  "analysis_first_seconds",
                                                  "factor_seconds",
                                                  "factor_first_seconds",
                                                  "solve_seconds",
                                                  "solve_first_seconds",
                                                  "solve_again_seconds",
                                                  "start_seconds",
                                                  "cold_seconds",
                                                  "total_seconds",
                                                  "peak_bytes",
                                                  "analysis_peak_bytes",
                                                  "factor_peak_bytes",
                                                  "gflops_per_second",
                                                  "flops",
                                                  "device_bytes",
                                                  "predicted_peak_bytes",
                                                  "backward_error",
                                                  "componentwise_backward_error"};

/// Summed over rounds where a solver reports them.
constexpr std::array<const char*, 4> count_keys{"scalings_kept", "rescaled", "compared_with_scratch",
                                                "other_than_from_scratch"};

/// Compared with those of one solver on the same matrix in the same mode.
constexpr std::array<const char*, 8> ratio_keys{"analysis_seconds", "factor_seconds",      "factor_first_seconds",
                                                "solve_seconds",    "solve_again_seconds", "cold_seconds",
                                                "total_seconds",    "peak_bytes"};

const json* row_of(const std::vector<json>& rows, const std::string& solver, const json& of) {
    for (const json& r : rows)
        if (r["solver"] == solver && r["matrix"] == of["matrix"] && r["mode"] == of["mode"] && !r.contains("error"))
            return &r;
    return nullptr;
}

/// What stands above the rows of one matrix.
std::string title_of(const json& row) {
    std::string title = row["matrix"].get<std::string>() + " (" + row["mode"].get<std::string>();
    if (row.value("values", same_values) != same_values)
        title += ", other values by " + row["values"].get<std::string>();
    if (row.value("rhs", 1) > 1) title += fmt::format(", {} right-hand sides", row["rhs"].get<int>());
    if (row.value("precision", "double") == "single") title += ", single precision";
    if (row.contains("order_of")) title += ", order of " + row["order_of"].get<std::string>();
    return title + ")";
}

std::size_t widest_solver(const std::vector<json>& rows) {
    std::size_t width = 10;
    for (const json& r : rows) width = std::max(width, r["solver"].get_ref<const std::string&>().size() + 1);
    return width;
}

std::string remark_of(const json& row) {
    std::string remark = row.value("remark", "");
    if (row.contains("rescaled"))
        remark += fmt::format(", scaling kept {} times, {} times made anew", row["scalings_kept"].get<int>(),
                              row["rescaled"].get<int>());
    if (row.contains("compared_with_scratch"))
        remark += fmt::format(", {} of {} factorizations other than from scratch",
                              row["other_than_from_scratch"].get<int>(), row["compared_with_scratch"].get<int>());
    return remark;
}

std::ofstream open(const std::string& file) {
    std::ofstream out(file);
    if (!out) throw std::runtime_error("cannot write " + file);
    return out;
}

}  // namespace

double number(const json& row, const std::string& key) { return row.contains(key) ? row[key].get<double>() : 0; }

json combine_rounds(const std::vector<json>& rounds) {
    for (const json& r : rounds)
        if (r.contains("error")) return r;
    json result = rounds.front();
    for (const char* key : number_keys) {
        std::vector<double> values;
        for (const json& r : rounds) values.push_back(number(r, key));
        std::sort(values.begin(), values.end());
        result[key] = values[values.size() / 2];
        result[std::string(key) + "_range"] = {values.front(), values.back()};
    }
    for (const char* key : count_keys) {
        if (!result.contains(key)) continue;
        int sum = 0;
        for (const json& r : rounds) sum += r[key].get<int>();
        result[key] = sum;
    }
    result["rounds"] = rounds.size();
    return result;
}

void add_ratios(std::vector<json>& rows, const std::string& base_solver) {
    for (json& r : rows) {
        const json* const base = row_of(rows, base_solver, r);
        if (base == nullptr || r.contains("error")) continue;
        for (const char* key : ratio_keys)
            if (number(*base, key) > 0) r[std::string(key) + "_ratio"] = number(r, key) / number(*base, key);
    }
}

void print_table(const std::vector<json>& rows) {
    const std::size_t width = widest_solver(rows);
    std::string matrix;
    for (const json& r : rows) {
        const std::string title = title_of(r);
        if (title != matrix) {
            matrix = title;
            fmt::print(
                "\n{}\n{:<{}}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>9}{:>9}{:>9}{:>9}{:>11}{:>10}"
                "{:>10}{:>11}{:>9}{:>9}{:>9}{:>9}{}\n",
                title, "solver", width, "analyse s", "factor s", "(first)", "solve s", "(first)", "(again)", "cold s",
                "total s", "Gflop", "Gflop/s", "entries M", "peak MB", "error", "component.", "factor x", "solve x",
                "cold x", "total x", "  remark");
        }
        if (r.contains("error")) {
            fmt::print("{:<{}} {}\n", r["solver"].get<std::string>(), width, r["error"].get<std::string>());
            continue;
        }
        fmt::print(
            "{:<{}}{:>10.3f}{:>10.4f}{:>10.4f}{:>10.4f}{:>10.4f}{:>10.4f}{:>9.3f}{:>9.3f}"
            "{:>9.1f}{:>9.1f}{:>11.2f}{:>10.1f}{:>10.1e}{:>11.1e}{:>9.2f}{:>9.2f}{:>9.2f}"
            "{:>9.2f}  {}\n",
            r["solver"].get<std::string>(), width, number(r, "analysis_seconds"), number(r, "factor_seconds"),
            number(r, "factor_first_seconds"), number(r, "solve_seconds"), number(r, "solve_first_seconds"),
            number(r, "solve_again_seconds"), number(r, "cold_seconds"), number(r, "total_seconds"),
            number(r, "flops") * 1e-9, number(r, "gflops_per_second"), number(r, "factor_entries") * 1e-6,
            number(r, "peak_bytes") * 1e-6, number(r, "backward_error"), number(r, "componentwise_backward_error"),
            number(r, "factor_seconds_ratio"), number(r, "solve_seconds_ratio"), number(r, "cold_seconds_ratio"),
            number(r, "total_seconds_ratio"), remark_of(r));
    }
}

void write_json(const std::string& file, const json& record) { open(file) << record.dump(2) << '\n'; }

void write_csv(const std::string& file, const std::vector<json>& rows) {
    std::ofstream out = open(file);
    out << "matrix,mode,solver,version,error,factor_entries";
    for (const char* key : number_keys) out << ',' << key;
    for (const char* key : ratio_keys) out << ',' << key << "_ratio";
    out << '\n';
    for (const json& r : rows) {
        out << r["matrix"].get<std::string>() << ',' << r["mode"].get<std::string>() << ','
            << r["solver"].get<std::string>() << ',' << r.value("version", "") << ",\"" << r.value("error", "") << "\","
            << number(r, "factor_entries");
        for (const char* key : number_keys) out << ',' << number(r, key);
        for (const char* key : ratio_keys) out << ',' << number(r, std::string(key) + "_ratio");
        out << '\n';
    }
}

}  // namespace frond::bench
