// SPDX-License-Identifier: BSD-3-Clause
// Values of options: text to value and back. Internal.
#pragma once

#include "frond/base/types.hpp"
#include "frond/option_table.hpp"

#include <array>
#include <limits>
#include <string>
#include <string_view>

namespace frond::detail {

/// Throws InvalidArgument: "<name> = '<value>' is not <range>", with the nearest of `choices`.
[[noreturn]] void fail_option_value(std::string_view name, std::string_view value, const std::string& range,
                                    std::span<const std::string> choices = {});

count_t parse_integer(std::string_view name, std::string_view value, count_t smallest, count_t largest,
                      const std::string& range);
double parse_real(std::string_view name, std::string_view value, double smallest, double largest,
                  const std::string& range);
/// on, off, yes, no, true, false, 1, 0.
bool parse_switch(std::string_view name, std::string_view value, const std::string& range);
/// A number with an optional unit: 500000, 512M, 4GiB, 1.5T; K, M, G, T are powers of 1024.
count_t parse_bytes(std::string_view name, std::string_view value, const std::string& range);
/// "60x60x60" or "60x60" (then the third is 1); "0x0x0": not a grid.
std::array<index_t, 3> parse_grid(std::string_view name, std::string_view value, const std::string& range);

/// Shortest text that parse_real reads back to the same number.
std::string text_of_real(double value);

}  // namespace frond::detail
