// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/temporary_folder.hpp"

#include "frond/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ftw.h>
#include <system_error>

namespace frond {
namespace {

/// StarPU's files of eight cards take 20 KB.
constexpr std::size_t room_bytes = 128 * 1024;
/// StarPU keeps 256 characters for the name of a file.
constexpr std::size_t longest_path = 160;

int remove_entry(const char* path, const struct stat*, int, FTW*) { return std::remove(path); }

/// Asks for no memory: std::filesystem would throw in a destructor.
void remove_with_content(const std::string& folder) noexcept {
    constexpr int open_folders = 8;
    nftw(folder.c_str(), remove_entry, open_folders, FTW_DEPTH | FTW_PHYS);
}

/// Goes with what is in it unless it is kept.
class NewFolder {
public:
    explicit NewFolder(const std::string& name) : name_(name) {}
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;
    ~NewFolder() {
        if (!kept_) remove_with_content(name_);
    }

    void keep() noexcept { kept_ = true; }

private:
    const std::string& name_;
    bool kept_ = false;
};

/// Empty, or why files cannot be written there. A full disk says so when the file is written or
/// closed.
std::string why_not_written(const std::string& folder) {
    const std::string name = folder + "/room";
    errno = 0;
    std::ofstream file(name, std::ios::binary);
    file << std::string(room_bytes, '0');
    file.close();
    if (file) {
        std::error_code ignored;
        std::filesystem::remove(name, ignored);
        return {};
    }
    return errno == 0 ? "files cannot be written" : std::strerror(errno);
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& begin, const std::string& purpose,
                                 const std::vector<std::string>& parents) {
    std::string reasons;
    for (const std::string& parent : parents) {
        std::string name = parent + "/" + begin + "XXXXXX", reason;
        if (name.size() > longest_path) {
            reason = "its name is too long";
        } else if (mkdtemp(name.data()) == nullptr) {
            reason = std::strerror(errno);
        } else {
            NewFolder folder(name);
            reason = why_not_written(name);
            if (reason.empty()) {
                path_ = std::filesystem::absolute(name).string();
                folder.keep();
                return;
            }
        }
        reasons += (reasons.empty() ? "" : ", ") + parent + " (" + reason + ")";
    }
    throw RuntimeError("no folder takes " + purpose + ": " + reasons + "; set TMPDIR to a folder with 200 KB of room");
}

TemporaryFolder::~TemporaryFolder() { remove_with_content(path_); }

std::vector<std::string> temporary_folders() {
    std::vector<std::string> folders;
    const auto add = [&](const std::string& folder) {
        if (!folder.empty() && std::find(folders.begin(), folders.end(), folder) == folders.end())
            folders.push_back(folder);
    };
    for (const char* variable : {"TMPDIR", "XDG_RUNTIME_DIR"}) {
        const char* const value = std::getenv(variable);
        add(value == nullptr ? "" : value);
    }
    for (const char* folder : {"/tmp", "/dev/shm", "/var/tmp", "."}) add(folder);
    return folders;
}

}  // namespace frond
