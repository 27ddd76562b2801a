// SPDX-License-Identifier: BSD-3-Clause
// How a rank waits for others without keeping a core busy.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace frond::mpi {

/// pause() between two questions: first the core goes to whoever wants it, then the pauses grow with the time that has passed,
/// to 1 ms: so a wait takes a sixteenth longer than it must.
class Patience {
public:
    void pause() {
        if (asked_ < polls_before_sleep) {
            ++asked_;
            std::this_thread::yield();
            return;
        }
        std::this_thread::sleep_for(length_);
        length_ = std::min(length_ * 17 / 16, longest);
    }

private:
    static constexpr int polls_before_sleep = 200;
    static constexpr std::chrono::microseconds longest{1000};

    int asked_ = 0;
    std::chrono::microseconds length_{20};
};

}  // namespace frond::mpi
