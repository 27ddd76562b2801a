// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace frond::cli {

/// Runs a program with these arguments, its path first; what it prints goes into the file. Empty when it ended well,
/// else how it ended: "exit code 1", "signal 6".
/// @throws RuntimeError  it cannot be started
std::string run_tool(std::vector<std::string> arguments, const std::string& output_file);

}  // namespace frond::cli
