// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"

#include <string>

namespace frond::cli {

/// "file: reason; cure", the form of every message about a file or folder.
inline InvalidArgument path_error(const std::string& path, const std::string& reason, const std::string& cure) {
    return InvalidArgument(path + ": " + reason + "; " + cure);
}

}  // namespace frond::cli
