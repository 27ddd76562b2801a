// SPDX-License-Identifier: BSD-3-Clause
#include "trace/read/task_name.hpp"

#include "trace/read/trace_lines.hpp"

namespace frond::cli {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The whole number at `place`; behind it `place` is left. -1: none is there.
int number_at(std::string_view text, std::size_t& place) {
    const std::size_t begin = place;
    while (place < text.size() && is_digit(text[place])) ++place;
    int number = -1;
    return read_number(text.substr(begin, place - begin), number) ? number : -1;
}

/// The number behind " word "; `place` is left behind it.
int number_behind(std::string_view name, std::string_view word, std::size_t& place) {
    place = name.find(word);
    if (place == std::string_view::npos) return -1;
    place += word.size();
    return number_at(name, place);
}

}  // namespace

TaskPlace place_in_name(std::string_view name) {
    TaskPlace place;
    std::size_t end = 0;
    place.first_front = place.last_front = number_behind(name, " front ", end);
    if (const int first = number_behind(name, " fronts ", end); first >= 0 && end < name.size() && name[end] == '-') {
        place.first_front = first;
        place.last_front = number_at(name, ++end);
    }
    if (const int row = number_behind(name, " tile (", end); row >= 0 && end < name.size() && name[end] == ',') {
        place.tile_row = row;
        place.tile_column = number_at(name, ++end);
    }
    place.step = number_behind(name, " step ", end);
    place.level = number_behind(name, " level ", end);
    place.iteration = number_behind(name, " iteration ", end);
    place.piece = number_behind(name, " piece ", end);
    place.rhs = number_behind(name, " rhs ", end);
    place.chunk = number_behind(name, " chunk ", end);
    return place;
}

NamePattern pattern_of_name(std::string_view name) {
    constexpr std::size_t most_numbers = 10, most_digits = 9;
    NamePattern pattern;
    for (std::size_t i = 0; i < name.size();) {
        std::size_t end = i;
        while (end < name.size() && is_digit(name[end])) ++end;
        const std::size_t digits = end - i;
        const bool exact = digits == 1 || name[i] != '0';  // no zero in front
        if (digits > 0 && digits <= most_digits && exact && pattern.numbers.size() < most_numbers) {
            pattern.numbers.push_back(number_at(name, i));
            pattern.text += '#';
        } else {
            end = std::max(end, i + 1);
            pattern.text += name.substr(i, end - i);
            i = end;
        }
    }
    return pattern;
}

}  // namespace frond::cli
