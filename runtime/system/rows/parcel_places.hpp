// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frond/base/types.hpp"

namespace frond::detail {

/// Places in the parcels of all ranks, where what a rank has for itself is left out: it need not be sent.
class ParcelPlaces {
public:
    /// begin [ranks + 1]: of all parcels
    ParcelPlaces(std::span<const count_t> begin, index_t own)
        : own_begin_(begin[static_cast<std::size_t>(own)]), own_end_(begin[static_cast<std::size_t>(own) + 1]) {
        for (std::size_t r = 0; r < begin.size(); ++r)
            begin_.push_back(begin[r] - (r > static_cast<std::size_t>(own) ? own_end_ - own_begin_ : 0));
    }

    const std::vector<count_t>& begin() const { return begin_; }
    std::size_t size() const { return static_cast<std::size_t>(begin_.back()); }
    bool is_own(count_t place) const { return place >= own_begin_ && place < own_end_; }
    /// The number of an own place, from the first of these.
    count_t own(count_t place) const { return place - own_begin_; }
    count_t own_begin() const { return own_begin_; }
    /// The number of a place that is not own, without those that are.
    std::size_t other(count_t place) const {
        return static_cast<std::size_t>(place < own_begin_ ? place : place - (own_end_ - own_begin_));
    }

    /// The inverse of other().
    count_t place_of_other(count_t k) const { return k < own_begin_ ? k : k + (own_end_ - own_begin_); }

private:
    count_t own_begin_, own_end_;
    std::vector<count_t> begin_;
};

}  // namespace frond::detail
