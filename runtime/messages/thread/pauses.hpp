// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <chrono>

namespace frond::detail {

/// How long a thread sleeps between two looks at what others send: first not at all, then for a part of the time that it
/// has waited, so that a message comes that much later than it could.
class Pauses {
public:
    using Duration = std::chrono::microseconds;

    void restart() {
        looks_ = 0;
        length_ = shortest;
    }
    /// Zero: look again at once.
    Duration next(bool data_are_moving) {
        if (looks_ < looks_at_once) {
            ++looks_;
            return Duration(0);
        }
        const Duration pause = data_are_moving ? std::min(length_, longest_while_moving) : length_;
        length_ = std::min(length_ * 9 / 8 + Duration(1), longest);
        return pause;
    }

private:
    static constexpr int looks_at_once = 20;
    static constexpr Duration shortest{10}, longest{200}, longest_while_moving{20};

    int looks_ = 0;
    Duration length_ = shortest;
};

}  // namespace frond::detail
