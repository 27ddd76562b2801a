// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond::cli {

const char* version_number() noexcept;  // "0.1.0"
const char* commit() noexcept;  // of the sources, "-dirty" with changes; or "unknown"
std::string version_text();  // "frond 0.1.0 (commit 1a2b3c4d5e6f)"

}  // namespace frond::cli
