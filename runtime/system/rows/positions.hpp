// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/base/types.hpp"
#include "frond/base/vector_index.hpp"
#include "system/rows/for_chunks.hpp"

namespace frond::detail {

/// A list of positions that is kept: in 4 bytes each where all of them fit, since there is one for each entry of A.
class Positions {
public:
    Positions() = default;
    template <class Allocator>
    explicit Positions(const std::vector<count_t, Allocator>& all, const ParallelFor& parallel_for = {}) {
        const auto size = static_cast<count_t>(all.size());
        std::atomic<bool> all_fit{true};
        narrow_.resize(all.size());
        for_chunks(size, parallel_for, [&](count_t, count_t first, count_t end) {
            bool fit = true;
            for (count_t k = first; k < end; ++k) {
                narrow_[at(k)] = static_cast<index_t>(all[at(k)]);
                fit = fit && narrow_[at(k)] == all[at(k)];
            }
            if (!fit) all_fit.store(false, std::memory_order_relaxed);
        });
        if (all_fit) return;
        narrow_ = {};
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
