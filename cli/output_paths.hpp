// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond::cli {

/// Checks before long work that a file can be written later; an empty name passes. Does not change
/// a file that is there, and leaves none behind that was not.
/// @throws InvalidArgument  naming the file and the reason
void expect_writable_file(const std::string& file);

/// Makes the folder, and those above it, unless they are there; an empty name passes.
/// @throws InvalidArgument  naming the folder and the reason
void make_folder(const std::string& folder);

} // namespace frond::cli
