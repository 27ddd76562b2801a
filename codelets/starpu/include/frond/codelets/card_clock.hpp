// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

namespace frond {

/// Shares the time of a card among the tasks that run on it at once: it advances by the integral of dt / n while n of them
/// run, and stands while none does. What a task takes of the card is the difference of its readings; those of all tasks
/// have the sum of the time in which the card was busy.
class CardClock {
public:
    /// The reading when a task begins, and when it has ended. now: seconds of any clock; one that goes back stands.
    double begin(double now) noexcept {
        advance(now);
        ++running_;
        return reading_;
    }
    double end(double now) noexcept {
        advance(now);
        --running_;
        return reading_;
    }

private:
    void advance(double now) noexcept {
        if (running_ > 0) reading_ += std::max(now - before_, 0.0) / running_;
        before_ = running_ > 0 ? std::max(now, before_) : now;
    }

    double reading_ = 0, before_ = 0;
    int running_ = 0;
};

}  // namespace frond
