// SPDX-License-Identifier: BSD-3-Clause
#include "terminal/terminal.hpp"

#include "frond/base/error.hpp"
#include "frond/base/printable.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
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

namespace {

constexpr std::array<std::string_view, 6> style_codes{"\033[0m",    "\033[1m",    "\033[2m",
                                                      "\033[1;31m", "\033[1;32m", "\033[1;33m"};

/// Bytes at the beginning that are a code of Style.
std::size_t code_bytes(std::string_view text) {
    for (const std::string_view code : style_codes)
        if (text.starts_with(code)) return code.size();
    return 0;
}

/// printable(), but for the codes of Style where the stream has colours.
std::string shown_on(std::FILE* stream, std::string_view text) {
    if (!is_terminal(stream)) return printable(text);
    std::string result;
    while (!text.empty()) {
        const std::size_t code = code_bytes(text),
                          next = std::min(text.find('\033', code + (code == 0 ? 1 : 0)), text.size());
        result += std::string(text.substr(0, code)) + printable(text.substr(code, next - code));
        text.remove_prefix(next);
    }
    return result;
}

bool put(std::FILE* stream, const std::string& text) noexcept {
    errno = 0;
    const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    return written && std::fflush(stream) == 0 && std::ferror(stream) == 0;
}

}  // namespace

void print_text(std::FILE* stream, const std::string& text) {
    if (put(stream, shown_on(stream, text)) || stream == stderr) return;
    throw RuntimeError(std::string("standard output cannot be written: ") + std::strerror(errno != 0 ? errno : EIO) +
                       "; check the disk or the program that it goes to");
}

void print_warning(const std::string& text) { print_text(stderr, Style(stderr).warning("frond:") + " " + text + "\n"); }

// Opened the wrong way round, so that using them is an error as it was before.
void keep_standard_descriptors() noexcept {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void clear_status_line() {
    if (is_terminal(stderr)) put(stderr, "\r\033[K");
}

StatusLine::StatusLine(const std::string& text) : drawn_(is_terminal(stderr)) {
    if (!drawn_) return;
    const int room = std::max(0, terminal_columns(stderr) - 7);
    put(stderr, "\r\033[K  " + printable(text).substr(0, static_cast<std::size_t>(room)) + " ...");
}

StatusLine::~StatusLine() {
    if (drawn_) clear_status_line();
}

std::string progress_line(const std::string& label, const Progress& progress, int columns) {
    const double share =
        progress.total_flops > 0 ? std::clamp(progress.done_flops / progress.total_flops, 0.0, 1.0) : 0.0;
    const double rate = progress.seconds > 0 ? progress.done_flops / progress.seconds : 0.0;
    const double left = rate > 0 ? (progress.total_flops - progress.done_flops) / rate : 0.0;
    const std::string facts = fmt::format(" {:3.0f}%  {}  {}", share * 100, text_of_rate(rate),
                                          rate > 0 ? text_of_seconds(std::max(left, 0.0)) + " left" : "starting");
    const int room = columns - 1 - static_cast<int>(label.size() + facts.size() + 5);
    if (room < 8) return "  " + label + facts;
    const int width = std::min(room, 40);
    const int done = static_cast<int>(share * width);
    return "  " + label + " [" + std::string(static_cast<std::size_t>(done), '#') +
           std::string(static_cast<std::size_t>(width - done), '.') + "]" + facts;
}

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)),
      on_terminal_(is_terminal(stderr)),
      next_(Clock::now() + std::chrono::milliseconds(500)) {}

void ProgressBar::update(const Progress& progress) {
    if (!on_terminal_ || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    drawn_ = true;
    put(stderr, "\r\033[K" + progress_line(label_, progress, terminal_columns(stderr)));
}

ProgressBar::~ProgressBar() {
    if (drawn_) clear_status_line();
}

}  // namespace frond::cli
