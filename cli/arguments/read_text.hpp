// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond::cli {

/// All of a file. @throws InvalidArgument  naming it, with the cure
std::string read_text(const std::string& file, const std::string& cure);

}  // namespace frond::cli
