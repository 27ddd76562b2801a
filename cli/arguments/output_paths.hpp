// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "command_line.hpp"

#include <cstdio>
#include <string>

namespace frond::cli {

/// "-" in place of a file, or another name of the same descriptor.
bool is_standard_output(const std::string& file);

/// Where people read the table: standard error when standard output holds what --json, --out,
/// --null-space or --save write.
std::FILE* table_stream(const CommandLine& line);

/// Checks before long work that a file can be written later; "-" and an empty name pass. Does not
/// change a file that is there, and leaves none behind that was not.
/// @throws InvalidArgument  naming the file and the reason
void expect_writable_file(const std::string& file);

/// Each stream and each regular file is read or written once: no file that is written is read, or
/// written by another flag.
/// @throws InvalidArgument  naming both
void expect_own_files(const CommandLine& line);

/// False when another word of the command line names the file `output` as well, whatever it is for: the flags may
/// not have been understood yet. Streams and descriptors can be shared.
bool has_own_file(const CommandLine& line, const std::string& output);

/// Makes the folder, and those above it, unless they are there; an empty name passes.
/// @throws InvalidArgument  naming the folder and the reason
void make_folder(const std::string& folder);

/// A folder for results, made where it is missing; then it goes with this where nothing has come into it.
class ResultFolder {
public:
    /// @throws as make_folder()
    explicit ResultFolder(const std::string& folder);
    ResultFolder(const ResultFolder&) = delete;
    ResultFolder& operator=(const ResultFolder&) = delete;
    ~ResultFolder();

private:
    std::string folder_;
    bool is_new_;
};

}  // namespace frond::cli
