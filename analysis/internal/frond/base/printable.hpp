// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace frond {

/// The text with '?' for each byte of a control character, but ends of lines and tabs, and for each that is not UTF-8: a
/// terminal must not obey what a file or an argument holds.
std::string printable(std::string_view text);

}  // namespace frond
