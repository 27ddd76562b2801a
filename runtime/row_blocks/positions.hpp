// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/base/types.hpp"

namespace frond::detail {

/// A list of positions that is kept: in 4 bytes each where all of them fit, since there is one for each entry of A.
class Positions {
public:
    Positions() = default;
    template <class Allocator>
    explicit Positions(const std::vector<count_t, Allocator>& all) {
        const auto fits = [](count_t p) {
            return p >= std::numeric_limits<index_t>::min() && p <= std::numeric_limits<index_t>::max();
        };
        if (std::all_of(all.begin(), all.end(), fits))
            narrow_.assign(all.begin(), all.end());
        else
            wide_.assign(all.begin(), all.end());
    }

    std::size_t size() const { return std::max(narrow_.size(), wide_.size()); }
    count_t operator[](std::size_t k) const { return wide_.empty() ? narrow_[k] : wide_[k]; }
    count_t bytes() const {
        return static_cast<count_t>(narrow_.size() * sizeof(index_t) + wide_.size() * sizeof(count_t));
    }

private:
    LargeVector<index_t> narrow_;
    LargeVector<count_t> wide_;  // of one of the two there are none
};

}  // namespace frond::detail
