// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/solver.hpp"

#include <chrono>
#include <string>

namespace frond::cli {

/// The line of a progress bar, at most `columns` wide: share done, rate, time that remains.
///   factorization [##########..........]  50%  124 Gflop/s  1.70 s left
std::string progress_line(const std::string& label, const Progress& progress, int columns);

/// Draws on stderr when that is a terminal, else does nothing. The line appears after half a second
/// of work and is gone when the bar is.
class ProgressBar {
public:
    explicit ProgressBar(std::string label);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    bool visible_on_this_stream() const noexcept { return on_terminal_; }

    /// One call at a time.
    void update(const Progress& progress);

private:
    using Clock = std::chrono::steady_clock;
    std::string label_;
    bool on_terminal_;
    bool drawn_ = false;
    Clock::time_point next_;
};

}  // namespace frond::cli
