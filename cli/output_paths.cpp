// SPDX-License-Identifier: BSD-3-Clause
#include "output_paths.hpp"

#include "path_error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace frond::cli {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
    throw path_error(path, "cannot be written: " + reason,
                     "give a file in a folder that is there and that you may write to");
}

} // namespace

bool is_standard_output(const std::string& file) {
    return file == "-";
}

std::string path_of_output(const std::string& file) {
    return is_standard_output(file) ? "/dev/stdout" : file;
}

std::FILE* table_stream(const CommandLine& line) {
    const bool taken = is_standard_output(line.json_file) ||
                       is_standard_output(line.solution_file) ||
                       is_standard_output(line.null_space_file);
    return taken ? stderr : stdout;
}

void expect_writable_file(const std::string& file) {
    if (file.empty() || is_standard_output(file)) return;
    const std::filesystem::path path(file);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) refuse(file, "it is a folder");
    if (std::filesystem::exists(path, ignored)) {
        if (access(file.c_str(), W_OK) != 0) refuse(file, std::strerror(errno));
        return;
    }
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        refuse(file, "folder '" + folder + "': " + std::strerror(errno));
}

void make_folder(const std::string& folder) {
    if (folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw path_error(folder, "the folder cannot be made: " + error.message(),
                         "give one whose parent you may write to");
}

} // namespace frond::cli
