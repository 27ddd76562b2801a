// SPDX-License-Identifier: BSD-3-Clause
#include "output_paths.hpp"

#include "frond/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace frond::cli {

void expect_writable_file(const std::string& file) {
    if (file.empty()) return;
    const std::filesystem::path path(file);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw InvalidArgument("cannot write '" + file + "': it is a folder");
    if (std::filesystem::exists(path, ignored)) {
        if (access(file.c_str(), W_OK) != 0)
            throw InvalidArgument("cannot write '" + file + "': " + std::strerror(errno));
        return;
    }
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw InvalidArgument("cannot write '" + file + "': folder '" + folder +
                              "': " + std::strerror(errno));
}

void make_folder(const std::string& folder) {
    if (folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw InvalidArgument("cannot make the folder '" + folder + "': " + error.message());
}

} // namespace frond::cli
