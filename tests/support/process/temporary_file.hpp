// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

namespace frond::test {

/// A file in the system's folder for temporary files, removed at the end. Empty text: no file yet.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& suffix, std::string_view text = {}) {
        static std::atomic<unsigned> count{0};
        static const unsigned run = std::random_device{}();
        const std::string name = "frond-test-" + std::to_string(run) + "-" + std::to_string(count++) + suffix;
        path_ = (std::filesystem::temp_directory_path() / name).string();
        if (!text.empty()) std::ofstream(path_, std::ios::binary) << text;
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace frond::test
