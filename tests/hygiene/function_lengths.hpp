// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond::hygiene {

struct FunctionLength {
    std::string head;  // what stands before the body, on one line
    int first_line = 0;  // of the head, from 1
    int lines = 0;  // head and body
};

/// Functions by their braces: a brace at namespace or class level behind something with parentheses
/// opens one. Lambdas and local classes count to the function around them.
std::vector<FunctionLength> function_lengths(std::string_view source);

}  // namespace frond::hygiene
