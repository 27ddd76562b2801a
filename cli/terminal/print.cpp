// SPDX-License-Identifier: BSD-3-Clause
#include "terminal/print.hpp"

#include "frond/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace frond::cli {

void print_text(std::FILE* stream, const std::string& text) {
    errno = 0;
    const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    if (written && std::fflush(stream) == 0 && std::ferror(stream) == 0) return;
    throw RuntimeError(std::string(stream == stderr ? "standard error" : "standard output") + " cannot be written: " +
                       std::strerror(errno != 0 ? errno : EIO) + "; check the disk or the program that it goes to");
}

// Opened the wrong way round, so that using them is an error as it was before.
void keep_standard_descriptors() noexcept {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace frond::cli
