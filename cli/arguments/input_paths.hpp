// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "path_error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace frond::cli {

/// "-" in place of a file, or the path that means the same.
inline bool is_standard_input(const std::string& path) { return path == "-" || path == "/dev/stdin"; }

/// @throws InvalidArgument  naming the file and the reason
inline void expect_readable(const std::string& path, const std::string& cure) {
    if (path == "-") return;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw path_error(path, "cannot be read: it is a folder", cure);
    if (access(path.c_str(), R_OK) != 0)
        throw path_error(path, std::string("cannot be read: ") + std::strerror(errno), cure);
}

}  // namespace frond::cli
