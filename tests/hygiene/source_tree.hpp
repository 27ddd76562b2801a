// SPDX-License-Identifier: BSD-3-Clause
// The files of the repository as the hygiene tests see them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace frond::hygiene {

struct SourceFile {
    std::string path;  // from the root of the repository, "analysis/analyze.cpp"
    std::string text;
};

std::string read_text(const std::string& path);
int line_count(std::string_view text);

/// C and C++ files of the given folders, by path.
std::vector<SourceFile> source_files(const std::vector<std::string>& folders);
/// Everything that carries a licence line: sources, CMake files, scripts.
std::vector<SourceFile> licensed_files();
/// Markdown files of the repository.
std::vector<SourceFile> documents();

/// tests/hygiene/exceptions.txt, lines "RULE PATH: reason": the paths that a rule leaves out.
/// A line without a reason or with a path that does not exist is an error.
std::set<std::string> exceptions(const std::string& rule);

/// `text` with comments (and, when asked, string contents) turned into blanks; lines stay.
std::string without_comments(std::string_view text, bool blank_strings);
/// The inverse: only comments are left.
std::string only_comments(std::string_view text);

}  // namespace frond::hygiene
