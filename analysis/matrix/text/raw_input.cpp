// SPDX-License-Identifier: BSD-3-Clause
#include "raw_input.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace frond::detail {
namespace {

constexpr std::size_t raw_buffer_bytes = std::size_t{1} << 18;

/// A pipe that its writer made non-blocking is waited for.
bool waited_to_read(int descriptor) noexcept {
    if (errno == EINTR) return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    pollfd ready{descriptor, POLLIN, 0};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

RawInput::RawInput(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    buffer_.resize(raw_buffer_bytes);
    errno = 0;
    descriptor_ =
        path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    const int reason = errno;

    struct stat facts {};

    const bool known = descriptor_ >= 0 && fstat(descriptor_, &facts) == 0;
    if (known && S_ISREG(facts.st_mode)) file_bytes_ = static_cast<count_t>(facts.st_size);
    if (known && !S_ISDIR(facts.st_mode)) return;
    if (descriptor_ >= 0) close(descriptor_);
    if (known) throw InvalidArgument(fmt::format("{} is a folder; give a file", name_));
    throw RuntimeError(
        fmt::format("{} cannot be opened: {}; check its name and your permissions", name_, std::strerror(reason)));
}

RawInput::~RawInput() {
    if (descriptor_ >= 0) close(descriptor_);
}

std::size_t RawInput::read_some(char* into, std::size_t bytes) {
    for (;;) {
        const ssize_t got = ::read(descriptor_, into, bytes);
        if (got >= 0) return static_cast<std::size_t>(got);
        if (!waited_to_read(descriptor_))
            throw RuntimeError(fmt::format("{} cannot be read: {}; check the disk or the program that writes it", name_,
                                           std::strerror(errno)));
    }
}

std::string_view RawInput::peek(std::size_t least) {
    if (begin_ == end_) begin_ = end_ = 0;
    if (begin_ + least > buffer_.size()) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    while (end_ - begin_ < least) {
        const std::size_t got = read_some(buffer_.data() + end_, buffer_.size() - end_);
        if (got == 0) break;
        end_ += got;
    }
    return {buffer_.data() + begin_, end_ - begin_};
}

std::size_t RawInput::read(char* into, std::size_t bytes) {
    std::size_t done = std::min(bytes, end_ - begin_);
    std::memcpy(into, buffer_.data() + begin_, done);
    begin_ += done;
    while (done < bytes) {
        const std::size_t got = read_some(into + done, bytes - done);
        if (got == 0) break;
        done += got;
    }
    return done;
}

}  // namespace frond::detail
