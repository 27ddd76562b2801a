// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace frond::cli {

/// "file: reason; cure", the form of every message about a file or folder.
inline InvalidArgument path_error(const std::string& path, const std::string& reason, const std::string& cure) {
    return InvalidArgument(path + ": " + reason + "; " + cure);
}

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

/// All of a file. @throws InvalidArgument  naming it, with the cure
std::string read_text(const std::string& file, const std::string& cure);

}  // namespace frond::cli
