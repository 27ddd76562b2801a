// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "frond/analysis/analysis.hpp"

namespace frond {

/// Writes the analysis to a file, for load_analysis() in this or another process, as OutputFile does: the
/// file appears under its name when it is complete; what is no regular file is written in place.
/// @throws RuntimeError  the file cannot be written
void save_analysis(const Analysis& analysis, const std::string& path);

/// The analysis that save_analysis() wrote. Times in its report are those of the original. What it holds
/// is checked, so that a damaged or forged file cannot lead a factorization out of its memory. path: "-" is
/// standard input; a pipe is held in memory meanwhile.
/// @throws RuntimeError     the file cannot be read
/// @throws InvalidArgument  it holds no analysis, one of another format, or a damaged one
std::shared_ptr<const Analysis> load_analysis(const std::string& path);

}  // namespace frond
