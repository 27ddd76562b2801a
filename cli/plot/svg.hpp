// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace frond::cli {

/// An SVG drawing on a card that follows the reader's light or dark theme. Colours are classes:
///   ink, quiet (text and axes), line, grid, paper, accent and second (the two data colours;
///   strokes accent-line and second-line), outline; rank0 .. rank7 (fills that white text, class inside, is read on), and
///   thick (lines).
class Svg {
public:
    Svg(double width, double height, std::string_view title);

    enum class Anchor { start, middle, end };
    void text(double x, double y, std::string_view content, std::string_view classes = "ink",
              Anchor anchor = Anchor::start);
    void line(double x1, double y1, double x2, double y2, std::string_view classes = "line");
    void rectangle(double x, double y, double width, double height, std::string_view classes, double opacity = 1,
                   std::string_view tooltip = {});
    /// data: an SVG path.
    void path(std::string_view data, std::string_view classes, double opacity = 1, std::string_view transform = {});

    void save(const std::string& file) const;
    std::string text() const;

private:
    std::string body_;
};

/// Text with &, <, >, " and control characters made harmless.
std::string xml_escaped(std::string_view text);

/// Shortest decimal with at most two digits after the point.
std::string coordinate(double value);

}  // namespace frond::cli
