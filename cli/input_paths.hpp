// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "path_error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace frond::cli {

/// @throws InvalidArgument  naming the file and the reason
inline void expect_readable(const std::string& path, const std::string& cure) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw path_error(path, "cannot be read: it is a folder", cure);
    if (access(path.c_str(), R_OK) != 0)
        throw path_error(path, std::string("cannot be read: ") + std::strerror(errno), cure);
}

} // namespace frond::cli
