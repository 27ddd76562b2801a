// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/output_file.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace frond {
namespace {

constexpr unsigned new_file_mode = 0666;  // less what the umask takes

/// What is left of `path` behind `folder`, as a number; -1 when it is none.
int number_behind(std::string_view path, std::string_view folder) noexcept {
    if (!path.starts_with(folder)) return -1;
    path.remove_prefix(folder.size());
    int number = -1;
    const auto [end, failure] = std::from_chars(path.data(), path.data() + path.size(), number);
    return failure == std::errc() && end == path.data() + path.size() ? number : -1;
}

/// The file behind symbolic links, also where it is not there yet. Links that lead to each other end in one of them.
std::string resolved(const std::string& path) {
    namespace fs = std::filesystem;
    constexpr int most_links = 40;  // as in Linux
    std::error_code failure;
    const fs::path whole = fs::canonical(path, failure);
    if (!failure) return whole.string();
    fs::path target = path;
    for (int k = 0; k < most_links && fs::is_symlink(fs::symlink_status(target, failure)); ++k) {
        const fs::path next = fs::read_symlink(target, failure);
        if (failure) break;
        target = target.parent_path() / next;  // an absolute one replaces it
    }
    return target.string();
}

/// A pipe that its reader made non-blocking is waited for.
bool waited_to_write(int descriptor) noexcept {
    if (errno == EINTR) return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    pollfd ready{descriptor, POLLOUT, 0};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

bool is_regular(int descriptor) noexcept {
    struct stat facts;
    return fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode);
}

}  // namespace

int descriptor_of_output(const std::string& path) noexcept {
    if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    std::array<char, 32> of_process{};  // no std::string, which may throw
    std::snprintf(of_process.data(), of_process.size(), "/proc/%ld/fd/", static_cast<long>(getpid()));
    return std::max({number_behind(path, "/dev/fd/"), number_behind(path, "/proc/self/fd/"),
                     number_behind(path, "/proc/thread-self/fd/"), number_behind(path, of_process.data())});
}

OutputFile::OutputFile(const std::string& path)
    : name_(path == "-" ? "standard output" : path), target_(resolved(path)) {
    open(path);
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::open(const std::string& path) {
    errno = 0;
    if (const int given = descriptor_of_output(path); given >= 0) {
        descriptor_ = fcntl(given, F_DUPFD_CLOEXEC, 0);

    } else if (struct stat there; stat(path.c_str(), &there) == 0) {
        if (S_ISREG(there.st_mode))
            open_beside(there.st_mode & 07777);
        else
            open_in_place(0);
    } else if (lstat(target_.c_str(), &there) == 0) {  // links that lead to each other, which the system refuses
        open_in_place(0);
    } else {
        open_beside(new_file_mode);
    }
    if (descriptor_ < 0) fail("cannot be made");
}

void OutputFile::open_beside(unsigned mode) {
    constexpr int attempts = 100;  // names that other writers have
    const bool there = access(target_.c_str(), F_OK) == 0;
    if (there && access(target_.c_str(), W_OK) != 0) return;  // a rename would not ask
    for (int k = 0; k < attempts && descriptor_ < 0; ++k) {
        beside_ = fmt::format("{}.{}-{}.part", target_, getpid(), k);
        descriptor_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, new_file_mode);
        if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ < 0) {
        beside_.clear();
        const bool elsewhere = errno == EACCES || errno == EPERM || errno == ENAMETOOLONG;
        if (elsewhere) open_in_place(there ? O_TRUNC : O_CREAT | O_EXCL);
        emptied_on_failure_ = descriptor_ >= 0;
    } else if (there) {
        (void)!fchmod(descriptor_, mode);  // some file systems know no permissions
    }
}

void OutputFile::open_in_place(int flags) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, new_file_mode);
}

void OutputFile::write(const void* data, std::size_t bytes) {
    const char* from = static_cast<const char*>(data);
    while (bytes > 0) {
        errno = 0;
        const ssize_t written = ::write(descriptor_, from, bytes);
        if (written < 0) {
            if (waited_to_write(descriptor_)) continue;
            fail("cannot be written");
        }
        from += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

void OutputFile::finish() {
    errno = 0;
    // Some file systems report only now that the disk is full; others cannot synchronize at all.
    if (is_regular(descriptor_) && fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS && errno != EROFS)
        fail("cannot be written");
    errno = 0;
    if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail("cannot be closed");
    if (!beside_.empty() && std::rename(beside_.c_str(), target_.c_str()) != 0) fail("cannot take its name");
    beside_.clear();
    emptied_on_failure_ = false;
}

void OutputFile::discard() noexcept {
    if (descriptor_ >= 0 && emptied_on_failure_) (void)!ftruncate(descriptor_, 0);
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
    if (!beside_.empty()) std::remove(beside_.c_str());
    beside_.clear();
}

void OutputFile::fail(const char* what) {
    const std::string reason = errno != 0 ? std::strerror(errno) : "unknown cause";
    discard();
    throw RuntimeError(
        fmt::format("{} {}: {}; check the folder, its permissions and the free space", name_, what, reason));
}

}  // namespace frond
