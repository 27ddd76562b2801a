// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

namespace frond::bench {

using nlohmann::json;

void write_svg(const std::string& file, const std::vector<json>& rows) {
    double longest = 1e-9;
    for (const json& r : rows) longest = std::max(longest, number(r, "total_seconds"));
    constexpr std::array<const char*, 3> phases{"analysis_seconds", "factor_seconds", "solve_seconds"};
    constexpr std::array<const char*, 3> colors{"#8da0cb", "#2a9d8f", "#f4a261"};
    const double height = 18.0 * static_cast<double>(rows.size()) + 60;
    std::ofstream out(file);
    if (!out) throw std::runtime_error("cannot write " + file);
    out << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"{}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"11\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        "<text x=\"10\" y=\"20\" font-size=\"14\">Seconds: analysis, factorization, solve</text>\n",
        height);
    double y = 40;
    for (const json& r : rows) {
        const std::string name = r["matrix"].get<std::string>();
        out << fmt::format("<text x=\"10\" y=\"{}\">{} {}</text>\n", y + 11, name.substr(name.find_last_of('/') + 1),
                           r["solver"].get<std::string>());
        double x = 300;
        for (std::size_t p = 0; p < phases.size(); ++p) {
            const double width = 560 * number(r, phases[p]) / longest;
            out << fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"13\" fill=\"{}\"/>\n", x, y,
                               width, colors[p]);
            x += width;
        }
        const std::string label = r.contains("error") ? "failed" : fmt::format("{:.2f}", number(r, "total_seconds"));
        out << fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", x + 4, y + 11, label);
        y += 18;
    }
    out << "</svg>\n";
}

}  // namespace frond::bench
