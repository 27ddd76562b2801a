// SPDX-License-Identifier: BSD-3-Clause
#include "terminal/status_line.hpp"

#include "terminal/terminal.hpp"

#include <algorithm>
#include <cstdio>

namespace frond::cli {

StatusLine::StatusLine(const std::string& text) : drawn_(is_terminal(stderr)) {
    if (!drawn_) return;
    const int room = std::max(0, terminal_columns(stderr) - 7);
    std::fprintf(stderr, "\r\033[K  %.*s ...", room, text.c_str());
    std::fflush(stderr);
}

StatusLine::~StatusLine() {
    if (!drawn_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

}  // namespace frond::cli
