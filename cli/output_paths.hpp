// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "command_line.hpp"

#include <cstdio>
#include <string>

namespace frond::cli {

/// "-" in place of a file.
bool is_standard_output(const std::string& file);

/// The path to open for `file`: /dev/stdout for "-".
std::string path_of_output(const std::string& file);

/// Where people read the table: standard error when standard output holds what --json, --out
/// or --null-space write.
std::FILE* table_stream(const CommandLine& line);

/// Checks before long work that a file can be written later; "-" and an empty name pass. Does not
/// change a file that is there, and leaves none behind that was not.
/// @throws InvalidArgument  naming the file and the reason
void expect_writable_file(const std::string& file);

/// Makes the folder, and those above it, unless they are there; an empty name passes.
/// @throws InvalidArgument  naming the folder and the reason
void make_folder(const std::string& folder);

} // namespace frond::cli
