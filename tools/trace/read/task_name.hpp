// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond::cli {

/// What the name of a task says in addition to its kind (docs/traces.md, "Names"); -1: nothing of that.
struct TaskPlace {
    int first_front = -1, last_front = -1;  // the same for one front
    int tile_row = -1, tile_column = -1;
    int step = -1, level = -1, iteration = -1, piece = -1, rhs = -1, chunk = -1;
};
TaskPlace place_in_name(std::string_view name);

/// A name as the text that many share, with # in place of each number, and the numbers. Numbers of more than nine
/// digits, and those beyond the tenth, stay in the text.
struct NamePattern {
    std::string text;
    std::vector<int> numbers;
};
NamePattern pattern_of_name(std::string_view name);

}  // namespace frond::cli
