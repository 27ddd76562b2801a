// SPDX-License-Identifier: BSD-3-Clause
#include "terminal/progress_bar.hpp"

#include "terminal/terminal.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace frond::cli {

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
    fmt::print(stderr, "\r\033[K{}", progress_line(label_, progress, terminal_columns(stderr)));
    std::fflush(stderr);
}

ProgressBar::~ProgressBar() {
    if (!drawn_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

}  // namespace frond::cli
