// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/temporary_folder.hpp"

#include "frond/base/error.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ftw.h>
#include <system_error>
#include <thread>
#include <utility>

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

constexpr std::chrono::milliseconds between_looks(1);

/// Folders that there are, or that are being made; below 0: the process ends, and no other one comes.
constinit std::atomic<int> living{0};

void count_new_folder() {
    int count = living.load();
    while (count < 0 || !living.compare_exchange_weak(count, count + 1)) {
        if (count >= 0) continue;
        std::this_thread::sleep_for(between_looks);
        count = living.load();
    }
}

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
        const std::string reason = why_not_made(parent + "/" + begin + "XXXXXX");
        if (reason.empty()) return;
        reasons += (reasons.empty() ? "" : ", ") + parent + " (" + reason + ")";
    }
    throw RuntimeError("no folder takes " + purpose + ": " + reasons + "; set TMPDIR to a folder with 200 KB of room");
}

/// Empty: it is there.
std::string TemporaryFolder::why_not_made(std::string name) {
    if (name.size() > longest_path) return "its name is too long";
    std::error_code error;
    std::string absolute = std::filesystem::absolute(name, error).string();
    if (!error) name = std::move(absolute);  // else the current folder is gone
    count_new_folder();
    if (mkdtemp(name.data()) == nullptr) {
        const int reason = errno;
        --living;
        return std::strerror(reason);
    }
    path_ = std::move(name);
    try {
        std::string reason = why_not_written(path_);
        if (!reason.empty()) remove();
        return reason;
    } catch (...) {
        remove();
        throw;
    }
}

TemporaryFolder::~TemporaryFolder() { remove(); }

void TemporaryFolder::remove() noexcept {
    remove_with_content(path_);
    --living;
}

void stop_temporary_folders() {
    for (int none = 0; !living.compare_exchange_strong(none, -1); none = 0) std::this_thread::sleep_for(between_looks);
}

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
