// SPDX-License-Identifier: BSD-3-Clause
#include "terminal/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace frond::cli {
namespace {

// Three significant digits: 1.23, 12.3, 123.
std::string three_digits(double value) {
    const double size = std::abs(value);
    if (size < 9.995) return fmt::format("{:.2f}", value);
    if (size < 99.95) return fmt::format("{:.1f}", value);
    return fmt::format("{:.0f}", value);
}

struct Prefix {
    double factor;
    const char* name;
};

// The largest prefix whose number is at least 1; `prefixes` descend and end with factor 1.
template <std::size_t n>
std::string with_prefix(double value, const std::array<Prefix, n>& prefixes, const char* unit) {
    for (const Prefix& prefix : prefixes)
        if (std::abs(value) >= 0.9995 * prefix.factor)
            return three_digits(value / prefix.factor) + " " + prefix.name + unit;
    return (value == 0 ? "0" : three_digits(value)) + std::string(" ") + unit;
}

constexpr std::array<Prefix, 6> decimal{{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
constexpr std::array<Prefix, 4> binary{{{0x1p40, "Ti"}, {0x1p30, "Gi"}, {0x1p20, "Mi"}, {0x1p10, "Ki"}}};

}  // namespace

std::string text_of_count(count_t count) {
    std::string digits = std::to_string(count);
    const std::size_t first = count < 0 ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3;) {
        i -= 3;
        digits.insert(i, ",");
    }
    return digits;
}

std::string counted(count_t count, const std::string& one, const std::string& many) {
    const std::string plural = many.empty() ? one + "s" : many;
    return text_of_count(count) + " " + (count == 1 ? one : plural);
}

std::string text_of_bytes(double bytes) {
    return std::abs(bytes) < 1024 ? fmt::format("{:.0f} B", bytes) : with_prefix(bytes, binary, "B");
}

std::string text_of_flops(double flops) { return with_prefix(flops, decimal, "flop"); }

std::string text_of_rate(double flops_per_s) { return with_prefix(flops_per_s, decimal, "flop/s"); }

std::string text_of_seconds(double seconds) {
    if (seconds < 0.9995e-3) return fmt::format("{:.0f} us", seconds * 1e6);
    if (seconds < 0.9995) return three_digits(seconds * 1e3) + " ms";
    if (seconds < 119.5) return three_digits(seconds) + " s";
    const auto whole = static_cast<count_t>(std::llround(seconds));
    if (whole < 7200) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string text_of_error(double error) { return std::isfinite(error) ? fmt::format("{:.1e}", error) : "not finite"; }

std::string text_of_indices(const std::vector<index_t>& indices) {
    constexpr std::size_t shown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(indices.size(), shown); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(indices[i] + 1);
    return indices.size() > shown ? text + " ..." : text;
}

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
