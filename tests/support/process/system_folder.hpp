// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "temporary_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace frond::test {

/// A folder with files that stand for those of /proc and /sys, removed at the end.
class SystemFolder {
public:
    SystemFolder() : name_("") { std::filesystem::create_directories(path()); }

    SystemFolder(const SystemFolder&) = delete;
    SystemFolder& operator=(const SystemFolder&) = delete;

    ~SystemFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path(), ignored);
    }

    const std::string& path() const { return name_.path(); }

    /// name: "/proc/self/cgroup"
    SystemFolder& write(const std::string& name, const std::string& text) {
        const std::filesystem::path file = path() + name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return *this;
    }

private:
    TemporaryFile name_;
};

}  // namespace frond::test
