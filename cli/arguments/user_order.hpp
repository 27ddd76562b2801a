// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <string>
#include <vector>

namespace frond::cli {

/// The order of elimination in a file: the columns 1 .. n, each once, first eliminated first, as
/// numbers between blanks and line ends (lines that start with % or # are comments), or as a Matrix
/// Market array of n x 1 integers. The result counts from 0.
/// @throws InvalidArgument  naming file, line, value and cure
std::vector<index_t> read_user_order(const std::string& file, index_t n);

}  // namespace frond::cli
