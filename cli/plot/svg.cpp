// SPDX-License-Identifier: BSD-3-Clause
#include "plot/svg.hpp"

#include "frond/base/output_file.hpp"

#include <fmt/format.h>

#include <cmath>

namespace frond::cli {
namespace {

// Two sets of neutral colours; the data colours read well on both.
constexpr const char* style_sheet = R"(<style>
text{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif;font-size:12px}
.title{font-size:16px;font-weight:600}.small{font-size:11px}
.paper{fill:#fff}.ink{fill:#1f2328}.quiet{fill:#656d76}
.line{stroke:#8c959f;fill:none}.grid{stroke:#d8dee4;fill:none}
.accent{fill:#2f6fde}.second{fill:#e07b39}
.accent-line{stroke:#2f6fde;fill:none}.second-line{stroke:#e07b39;fill:none}
.outline{stroke:#1f2328;stroke-width:.7;fill:none}
.thick{stroke-width:2.5}.inside{fill:#fff;font-weight:600}
.rank0{fill:#2f6fde}.rank1{fill:#e07b39}.rank2{fill:#1b8a5a}.rank3{fill:#a3439c}
.rank4{fill:#b08a00}.rank5{fill:#1a8fa3}.rank6{fill:#c23b4e}.rank7{fill:#6b6f76}
@media (prefers-color-scheme:dark){
.paper{fill:#0d1117}.ink{fill:#e6edf3}.quiet{fill:#9198a1}
.line{stroke:#656d76}.grid{stroke:#2d333b}.accent{fill:#5b94f5}.accent-line{stroke:#5b94f5}.outline{stroke:#e6edf3}
}
</style>
)";

const char* anchor_name(Svg::Anchor anchor) {
    switch (anchor) {
        case Svg::Anchor::middle:
            return " text-anchor=\"middle\"";
        case Svg::Anchor::end:
            return " text-anchor=\"end\"";
        case Svg::Anchor::start:
            break;
    }
    return "";
}

std::string opacity_text(double opacity) { return opacity < 1 ? " opacity=\"" + coordinate(opacity) + "\"" : ""; }

}  // namespace

std::string xml_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return result;
}

std::string coordinate(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

Svg::Svg(double width, double height, std::string_view title) {
    const std::string w = coordinate(width), h = coordinate(height);
    body_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" "
        "height=\"{}\" role=\"img\">\n<title>{}</title>\n",
        w, h, w, h, xml_escaped(title));
    body_ += style_sheet;
    rectangle(0, 0, width, height, "paper");
    text(24, 34, title, "ink title");
}

void Svg::text(double x, double y, std::string_view content, std::string_view classes, Anchor anchor) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\"{}>{}</text>\n", coordinate(x), coordinate(y), classes,
                         anchor_name(anchor), xml_escaped(content));
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view classes) {
    body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", coordinate(x1),
                         coordinate(y1), coordinate(x2), coordinate(y2), classes);
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view classes, double opacity,
                    std::string_view tooltip) {
    body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"{}", coordinate(x),
                         coordinate(y), coordinate(width), coordinate(height), classes, opacity_text(opacity));
    body_ += tooltip.empty() ? std::string("/>\n") : "><title>" + xml_escaped(tooltip) + "</title></rect>\n";
}

void Svg::path(std::string_view data, std::string_view classes, double opacity, std::string_view transform) {
    if (data.empty()) return;
    const std::string moved = transform.empty() ? "" : " transform=\"" + std::string(transform) + "\"";
    body_ += fmt::format("<path class=\"{}\"{}{} d=\"{}\"/>\n", classes, opacity_text(opacity), moved, data);
}

std::string Svg::text() const { return body_ + "</svg>\n"; }

void Svg::save(const std::string& file) const {
    const std::string content = text();
    OutputFile out(file);
    out.write(content.data(), content.size());
    out.finish();
}

}  // namespace frond::cli
