// SPDX-License-Identifier: BSD-3-Clause
#include "tune_clock.hpp"

#include "run/interrupt.hpp"
#include "terminal/units.hpp"

#include <algorithm>
#include <cmath>

namespace frond::cli {

StatusLine TuneClock::status(const std::string& text) const {
    expect_no_interrupt();
    const double left = std::ceil(std::max(0.0, limit_ - passed()));
    return StatusLine(text + ", at most " + text_of_seconds(left) + " left");
}

}  // namespace frond::cli
