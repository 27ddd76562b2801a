// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <istream>
#include <memory>
#include <string>

namespace frond::detail {

/// The bytes of a file for who goes back in them. What can be read only once, a pipe or, for "-", standard input, is
/// taken into memory, unless its first bytes are not those of an analysis: it may then have no end.
std::unique_ptr<std::istream> open_analysis(const std::string& path);

}  // namespace frond::detail
