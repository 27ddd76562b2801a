// SPDX-License-Identifier: BSD-3-Clause
#include "version_text.hpp"

#include "commit.hpp"  // written by cli/cmake/write_commit.cmake at every build

namespace frond::cli {

const char* version_number() noexcept { return FROND_VERSION_TEXT; }

const char* commit() noexcept { return FROND_COMMIT; }

std::string version_text() { return std::string("frond ") + version_number() + " (commit " + commit() + ")"; }

}  // namespace frond::cli
