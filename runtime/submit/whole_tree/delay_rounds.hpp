// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "frond/base/types.hpp"

namespace frond::detail {

/// What is done about pivots that failed on a device, attempt after attempt: see docs/decisions/0016.
class DelayRounds {
public:
    enum class Next : std::uint8_t { delay, search_wider, give_up };

    /// After an attempt in which so many pivots failed. Where pivots may yet be searched for more widely, delays alone
    /// go on while each round leaves two thirds of that number at most; else for `sure` rounds, and then until
    /// `patience` rounds in turn were no better than the best.
    Next after(count_t failed, bool may_search) {
        if (rounds_ == most) return Next::give_up;
        const bool is_good = rounds_++ == 0 || 3 * failed <= 2 * last_;
        last_ = failed;
        if (may_search && !is_good) return Next::search_wider;
        idle_ = failed < fewest_ ? 0 : idle_ + 1;
        if (failed < fewest_) fewest_ = failed;
        return idle_ < patience || rounds_ <= sure ? Next::delay : Next::give_up;
    }

    /// The search begins: what failed before does not count.
    void begin_search() {
        fewest_ = std::numeric_limits<count_t>::max();
        idle_ = 0;
    }

    static constexpr int most = 20, sure = 10, patience = 4;

private:
    int rounds_ = 0, idle_ = 0;
    count_t last_ = 0, fewest_ = std::numeric_limits<count_t>::max();
};

}  // namespace frond::detail
