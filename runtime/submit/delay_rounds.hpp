// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "frond/base/types.hpp"

namespace frond::detail {

/// What is done about pivots that failed on a device, attempt after attempt: see docs/decisions/0016.
class DelayRounds {
public:
    enum class Next : std::uint8_t { delay, search_wider, give_up };

    /// After an attempt in which so many pivots failed. Delays alone go on while each round halves that number, where
    /// pivots may yet be searched for more widely; else until `patience` rounds in turn were no better than the best.
    Next after(count_t failed, bool may_search) {
        if (rounds_ == most) return Next::give_up;
        const bool is_good = rounds_++ == 0 || 2 * failed <= last_;
        last_ = failed;
        if (may_search && !is_good) {
            fewest_ = std::numeric_limits<count_t>::max();
            return Next::search_wider;
        }
        idle_ = failed < fewest_ ? 0 : idle_ + 1;
        if (failed < fewest_) fewest_ = failed;
        return idle_ < patience ? Next::delay : Next::give_up;
    }

    static constexpr int most = 20, patience = 4;

private:
    int rounds_ = 0, idle_ = 0;
    count_t last_ = 0, fewest_ = std::numeric_limits<count_t>::max();
};

}  // namespace frond::detail
