// SPDX-License-Identifier: BSD-3-Clause
#include "option_value.hpp"

#include "frond/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace frond::detail {
namespace {

// True when the whole of `text` is one number.
template <class Number>
bool read_number(std::string_view text, Number& number) {
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && rest == end;
}

// Bytes a unit stands for; 0 for an unknown unit. "", "K", "KB", "KiB" and small letters.
double unit_bytes(std::string_view unit) {
    if (unit.empty() || unit == "B") return 1;
    const std::string_view rest = unit.substr(1);
    if (!rest.empty() && rest != "B" && rest != "iB") return 0;
    switch (unit[0]) {
        case 'k':
        case 'K':
            return 0x1p10;
        case 'm':
        case 'M':
            return 0x1p20;
        case 'g':
        case 'G':
            return 0x1p30;
        case 't':
        case 'T':
            return 0x1p40;
        default:
            return 0;
    }
}

}  // namespace

void fail_option_value(std::string_view name, std::string_view value, const std::string& range,
                       std::span<const std::string> choices) {
    std::string message = std::string(name) + " = '" + std::string(value) + "' is not " + range;
    const std::string nearest = nearest_spelling(value, choices);
    if (!nearest.empty()) message += "; did you mean '" + nearest + "'?";
    throw InvalidArgument(message);
}

count_t parse_integer(std::string_view name, std::string_view value, count_t smallest, count_t largest,
                      const std::string& range) {
    count_t number = 0;
    if (!read_number(value, number) || number < smallest || number > largest) fail_option_value(name, value, range);
    return number;
}

double parse_real(std::string_view name, std::string_view value, double smallest, double largest,
                  const std::string& range) {
    double number = 0;
    const bool in_range = read_number(value, number) && number >= smallest && number <= largest;  // NaN is not
    if (!in_range) fail_option_value(name, value, range);
    return number;
}

bool parse_switch(std::string_view name, std::string_view value, const std::string& range) {
    for (const char* yes : {"on", "yes", "true", "1"})
        if (value == yes) return true;
    for (const char* no : {"off", "no", "false", "0"})
        if (value == no) return false;
    fail_option_value(name, value, range);
}

count_t parse_bytes(std::string_view name, std::string_view value, const std::string& range) {
    double number = 0;
    const char* end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, number);
    const double unit = unit_bytes({rest, static_cast<std::size_t>(end - rest)});
    const bool whole = error == std::errc() && unit > 0 && number >= 0 && number * unit < 0x1p62;
    if (!whole) fail_option_value(name, value, range);
    return static_cast<count_t>(number * unit);
}

std::array<index_t, 3> parse_grid(std::string_view name, std::string_view value, const std::string& range) {
    std::array<index_t, 3> grid{1, 1, 1};
    std::size_t numbers = 0;
    std::size_t begin = 0;
    bool good = true;
    while (begin <= value.size()) {
        const std::size_t end = std::min(value.find('x', begin), value.size());
        good = good && numbers < 3 && read_number(value.substr(begin, end - begin), grid[numbers]);
        ++numbers;
        begin = end + 1;
    }
    const bool none = grid == std::array<index_t, 3>{0, 0, 0};
    const bool positive = grid[0] > 0 && grid[1] > 0 && grid[2] > 0;
    if (!good || numbers < 2 || !(none || positive)) fail_option_value(name, value, range);
    return grid;
}

std::string text_of_real(double value) {
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
    return error == std::errc() ? std::string(buffer, end) : std::to_string(value);
}

}  // namespace frond::detail
