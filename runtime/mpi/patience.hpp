// SPDX-License-Identifier: BSD-3-Clause
// How a rank waits for others without keeping a core busy.
#pragma once

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "frond/base/types.hpp"

namespace frond::mpi {

/// While it lives, sleeps of this thread end within a microsecond and not within the 50 that Linux allows itself.
class SleepsInTime {
public:
    SleepsInTime() : before_(prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL)) { allow(1000); }
    SleepsInTime(const SleepsInTime&) = delete;
    SleepsInTime& operator=(const SleepsInTime&) = delete;
    ~SleepsInTime() {
        if (before_ > 0) allow(static_cast<unsigned long>(before_));
    }

private:
    /// Sleeps are longer where it is refused.
    static void allow(unsigned long slack_ns) { prctl(PR_SET_TIMERSLACK, slack_ns, 0UL, 0UL, 0UL); }

    int before_;
};

/// pause() between two questions: first the core goes to whoever wants it, then the pauses grow with the time that has
/// passed: so a wait takes a sixteenth longer than it must. Data move while MPI is asked; so they are waited for with
/// short pauses alone, other news with up to 1 ms.
class Patience {
public:
    enum class For : bool { news, data };

    explicit Patience(For what = For::news) : longest_(what == For::data ? 10 : 1000) {}

    /// Whether it was a sleep.
    bool pause() {
        if (asked_ < polls_before_sleep) {
            ++asked_;
            std::this_thread::yield();
            return false;
        }
        if (!in_time_) in_time_.emplace();
        std::this_thread::sleep_for(length_);
        length_ = std::min(length_ * 17 / 16 + std::chrono::microseconds(1), longest_);
        return true;
    }

private:
    static constexpr int polls_before_sleep = 200;

    std::chrono::microseconds longest_;
    std::optional<SleepsInTime> in_time_;  // from the first sleep on
    int asked_ = 0;
    std::chrono::microseconds length_{10};
};

/// Whether a message is long enough to move in many pieces.
inline Patience::For what_is_waited_for(count_t bytes) {
    constexpr count_t one_piece = 32 << 10;
    return bytes > one_piece ? Patience::For::data : Patience::For::news;
}

}  // namespace frond::mpi
