// SPDX-License-Identifier: BSD-3-Clause
#include "terminal/table.hpp"

#include <algorithm>

namespace frond::cli {
namespace {

constexpr std::size_t widest_aligned_value = 18;

std::string padded(const std::string& text, std::size_t width) {
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

}  // namespace

void Table::section(std::string heading, std::string value, std::string note) {
    lines_.push_back({true, std::move(heading), std::move(value), std::move(note)});
}

void Table::row(std::string label, std::string value, std::string note) {
    lines_.push_back({false, std::move(label), std::move(value), std::move(note)});
}

std::string Table::text(const Style& style) const {
    std::size_t label_width = 0, value_width = 0;
    for (const Line& line : lines_) {
        label_width = std::max(label_width, line.label.size() + (line.is_section ? 0 : 2));
        if (!line.note.empty()) value_width = std::max(value_width, std::min(line.value.size(), widest_aligned_value));
    }
    std::string result;
    for (const Line& line : lines_) {
        const bool bare = line.value.empty() && line.note.empty();
        const std::string label = (line.is_section ? "" : "  ") + line.label;
        const std::string first = bare ? label : padded(label, label_width + 3);
        const std::string value =
            line.note.empty() ? line.value : padded(line.value, std::max(value_width + 3, line.value.size() + 2));
        if (line.is_section && !result.empty()) result += '\n';
        result += "  " + (line.is_section ? style.heading(first + value) : first + value);
        if (!line.note.empty()) result += style.quiet(line.note);
        result += '\n';
    }
    return result;
}

}  // namespace frond::cli
