// SPDX-License-Identifier: BSD-3-Clause
#include "temporary_folder.hpp"

#include "frond/base/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace frond::cli {

TemporaryFolder::TemporaryFolder(const std::string& begin, const std::string& purpose) {
    std::error_code failure;
    path_ = (std::filesystem::temp_directory_path(failure) / (begin + "XXXXXX")).string();
    if (failure || mkdtemp(path_.data()) == nullptr)
        throw RuntimeError("no folder for " + purpose + ": " + (failure ? failure.message() : std::strerror(errno)) +
                           "; set TMPDIR to a folder that takes files");
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace frond::cli
