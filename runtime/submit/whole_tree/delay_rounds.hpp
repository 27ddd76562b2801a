// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "frond/base/types.hpp"

namespace frond::detail {

/// How long a search for pivots on a device goes on, attempt after attempt: for `sure` rounds, and then until `patience`
/// rounds in turn were no better than the best (docs/decisions/0016).
class DelayRounds {
public:
    /// After an attempt in which so many pivots failed.
    bool go_on(count_t failed) {
        if (rounds_++ == most) return false;
        idle_ = failed < fewest_ ? 0 : idle_ + 1;
        if (failed < fewest_) fewest_ = failed;
        return idle_ < patience || rounds_ <= sure;
    }

    static constexpr int most = 20, sure = 10, patience = 4;

private:
    int rounds_ = 0, idle_ = 0;
    count_t fewest_ = std::numeric_limits<count_t>::max();
};

}  // namespace frond::detail
