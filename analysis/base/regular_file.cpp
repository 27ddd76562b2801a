// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/regular_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace frond {
namespace {

constexpr std::size_t most_file_bytes = std::size_t{16} << 20;

/// Closes at the end.
struct Descriptor {
    explicit Descriptor(const std::string& path)
        : number(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number >= 0) close(number);
    }

    int number;
};

}  // namespace

std::string why_not_read(const std::string& path, std::string& text) {
    const Descriptor file(path);
    struct stat facts {};
    if (file.number < 0 || fstat(file.number, &facts) != 0) return std::strerror(errno);
    if (!S_ISREG(facts.st_mode)) return "it is no regular file";
    text.clear();
    char block[1 << 12];
    for (ssize_t got; (got = read(file.number, block, sizeof block)) != 0;) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::strerror(errno);
        text.append(block, static_cast<std::size_t>(got));
        if (text.size() > most_file_bytes) return "it has more than 16 MiB";
    }
    return {};
}

}  // namespace frond
