// SPDX-License-Identifier: BSD-3-Clause
#include "terminal/terminal.hpp"

#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace frond::cli {

// Open MPI gives ranks a terminal of its own, whatever its output goes to.
bool is_terminal(std::FILE* stream) {
    if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return false;
    const char* kind = std::getenv("TERM");
    return isatty(fileno(stream)) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

int terminal_columns(std::FILE* stream) {
    winsize size{};
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

// NO_COLOR: any value that is not empty turns colours off (no-color.org).
Style::Style(std::FILE* stream) {
    const char* no_color = std::getenv("NO_COLOR");
    coloured_ = is_terminal(stream) && (no_color == nullptr || *no_color == '\0');
}

std::string Style::wrapped(const char* code, std::string_view text) const {
    if (!coloured_) return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

}  // namespace frond::cli
