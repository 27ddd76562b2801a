// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

namespace frond::bench {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 16> number_keys{
    "analysis_seconds",    "analysis_first_seconds",
    "factor_seconds",      "factor_first_seconds",
    "solve_seconds",       "solve_first_seconds",
    "total_seconds",       "peak_bytes",
    "analysis_peak_bytes", "factor_peak_bytes",
    "gflops_per_second",   "flops",
    "device_bytes",        "predicted_peak_bytes",
    "backward_error",      "componentwise_backward_error"};

/// Compared with Frond's on the same matrix in the same mode.
constexpr std::array<const char*, 5> ratio_keys{"analysis_seconds", "factor_seconds",
                                                "solve_seconds", "total_seconds", "peak_bytes"};

double number(const json& row, const char* key) {
    return row.contains(key) ? row[key].get<double>() : 0;
}

const json* frond_row(const std::vector<json>& rows, const json& of) {
    for (const json& r : rows)
        if (r["solver"] == "Frond" && r["matrix"] == of["matrix"] && r["mode"] == of["mode"] &&
            !r.contains("error"))
            return &r;
    return nullptr;
}

/// What stands above the rows of one matrix.
std::string title_of(const json& row) {
    std::string title = row["matrix"].get<std::string>() + " (" + row["mode"].get<std::string>();
    if (row.value("rhs", 1) > 1)
        title += fmt::format(", {} right-hand sides", row["rhs"].get<int>());
    if (row.value("precision", "double") == "single") title += ", single precision";
    if (row.contains("order_of")) title += ", order of " + row["order_of"].get<std::string>();
    return title + ")";
}

std::size_t widest_solver(const std::vector<json>& rows) {
    std::size_t width = 10;
    for (const json& r : rows)
        width = std::max(width, r["solver"].get_ref<const std::string&>().size() + 1);
    return width;
}

std::ofstream open(const std::string& file) {
    std::ofstream out(file);
    if (!out) throw std::runtime_error("cannot write " + file);
    return out;
}

} // namespace

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
    result["rounds"] = rounds.size();
    return result;
}

void add_ratios(std::vector<json>& rows) {
    for (json& r : rows) {
        const json* const base = frond_row(rows, r);
        if (base == nullptr || r.contains("error")) continue;
        for (const char* key : ratio_keys)
            if (number(*base, key) > 0)
                r[std::string(key) + "_ratio"] = number(r, key) / number(*base, key);
    }
}

void print_table(const std::vector<json>& rows) {
    const std::size_t width = widest_solver(rows);
    std::string matrix;
    for (const json& r : rows) {
        const std::string title = title_of(r);
        if (title != matrix) {
            matrix = title;
            fmt::print("\n{}\n{:<{}}{:>10}{:>10}{:>10}{:>10}{:>9}{:>9}{:>9}{:>11}{:>10}{:>10}{:>11}"
                       "{:>9}{:>9}{:>9}{}\n",
                       title, "solver", width, "analyse s", "factor s", "(first)", "solve s",
                       "total s", "Gflop", "Gflop/s", "entries M", "peak MB", "error", "component.",
                       "factor x", "solve x", "total x", "  remark");
        }
        if (r.contains("error")) {
            fmt::print("{:<{}} {}\n", r["solver"].get<std::string>(), width,
                       r["error"].get<std::string>());
            continue;
        }
        fmt::print("{:<{}}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.4f}{:>9.3f}{:>9.1f}{:>9.1f}{:>11.2f}{:>"
                   "10.1f}{:>10.1e}{:>11.1e}"
                   "{:>9.2f}{:>9.2f}{:>9.2f}  {}\n",
                   r["solver"].get<std::string>(), width, number(r, "analysis_seconds"),
                   number(r, "factor_seconds"), number(r, "factor_first_seconds"),
                   number(r, "solve_seconds"), number(r, "total_seconds"),
                   number(r, "flops") * 1e-9, number(r, "gflops_per_second"),
                   number(r, "factor_entries") * 1e-6, number(r, "peak_bytes") * 1e-6,
                   number(r, "backward_error"), number(r, "componentwise_backward_error"),
                   number(r, "factor_seconds_ratio"), number(r, "solve_seconds_ratio"),
                   number(r, "total_seconds_ratio"), r.value("remark", ""));
    }
}

void write_json(const std::string& file, const json& record) {
    open(file) << record.dump(2) << '\n';
}

void write_csv(const std::string& file, const std::vector<json>& rows) {
    std::ofstream out = open(file);
    out << "matrix,mode,solver,version,error,factor_entries";
    for (const char* key : number_keys) out << ',' << key;
    for (const char* key : ratio_keys) out << ',' << key << "_ratio";
    out << '\n';
    for (const json& r : rows) {
        out << r["matrix"].get<std::string>() << ',' << r["mode"].get<std::string>() << ','
            << r["solver"].get<std::string>() << ',' << r.value("version", "") << ",\""
            << r.value("error", "") << "\"," << number(r, "factor_entries");
        for (const char* key : number_keys) out << ',' << number(r, key);
        for (const char* key : ratio_keys)
            out << ',' << number(r, (std::string(key) + "_ratio").c_str());
        out << '\n';
    }
}

void write_svg(const std::string& file, const std::vector<json>& rows) {
    double longest = 1e-9;
    for (const json& r : rows) longest = std::max(longest, number(r, "total_seconds"));
    constexpr std::array<const char*, 3> phases{"analysis_seconds", "factor_seconds",
                                                "solve_seconds"};
    constexpr std::array<const char*, 3> colors{"#8da0cb", "#2a9d8f", "#f4a261"};
    const double height = 18.0 * static_cast<double>(rows.size()) + 60;
    std::ofstream out = open(file);
    out << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"{}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"11\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        "<text x=\"10\" y=\"20\" font-size=\"14\">Seconds: analysis, factorization, solve</text>\n",
        height);
    double y = 40;
    for (const json& r : rows) {
        const std::string name = r["matrix"].get<std::string>();
        out << fmt::format("<text x=\"10\" y=\"{}\">{} {}</text>\n", y + 11,
                           name.substr(name.find_last_of('/') + 1), r["solver"].get<std::string>());
        double x = 300;
        for (std::size_t p = 0; p < phases.size(); ++p) {
            const double width = 560 * number(r, phases[p]) / longest;
            out << fmt::format(
                "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"13\" fill=\"{}\"/>\n", x, y,
                width, colors[p]);
            x += width;
        }
        const std::string label =
            r.contains("error") ? "failed" : fmt::format("{:.2f}", number(r, "total_seconds"));
        out << fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", x + 4, y + 11, label);
        y += 18;
    }
    out << "</svg>\n";
}

} // namespace frond::bench
