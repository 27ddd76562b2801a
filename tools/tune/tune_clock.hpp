// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "terminal/clock.hpp"
#include "terminal/terminal.hpp"

#include <string>

namespace frond::cli {

/// The time that frond tune may take.
class TuneClock {
public:
    explicit TuneClock(double limit_seconds) : limit_(limit_seconds) {}

    double limit() const noexcept { return limit_; }
    double passed() const { return watch_.seconds(); }

    /// Called before each step of the work. @throws Cancelled  after Ctrl-C
    /// "  TEXT, at most 2 min 05 s left ..." on stderr while it lives, when that is a terminal.
    StatusLine status(const std::string& text) const;

private:
    double limit_;
    Stopwatch watch_;
};

}  // namespace frond::cli
