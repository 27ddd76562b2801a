// SPDX-License-Identifier: BSD-3-Clause
// The mark in tasks.rec of a run that failed or was interrupted: its last tasks did nothing, and their times say nothing.
#pragma once

#include <string>
#include <string_view>

namespace frond::cli {

/// Lines that begin so are comments of such files (GNU recutils).
inline constexpr char comment_of_records = '#';

/// Adds the mark at the end. @throws RuntimeError  there is no room
void mark_unfinished(const std::string& file);

/// Whether the mark is there; not where the file cannot be read, which others say.
bool is_unfinished(const std::string& file);

}  // namespace frond::cli
