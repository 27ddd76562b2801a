// SPDX-License-Identifier: BSD-3-Clause
// How a rank waits for others without keeping a core busy.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace frond::mpi {

/// pause() between two questions: first the core goes to whoever wants it, then the pauses grow, to 1 ms.
class Patience {
public:
    void pause() {
        if (asked_ < polls_before_sleep) {
            ++asked_;
            std::this_thread::yield();
            return;
        }
        std::this_thread::sleep_for(length_);
        length_ = std::min(length_ * 3 / 2, longest);
    }

private:
    static constexpr int polls_before_sleep = 200;
    static constexpr std::chrono::microseconds longest{1000};

    int asked_ = 0;
    std::chrono::microseconds length_{20};
};

}  // namespace frond::mpi
