// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond::cli {

/// A new folder in that for temporary files; gone with what is in it when this goes.
class TemporaryFolder {
public:
    /// begin: of its name. purpose: what is to be in it, as messages name it. @throws RuntimeError  it cannot be made
    TemporaryFolder(const std::string& begin, const std::string& purpose);
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

}  // namespace frond::cli
