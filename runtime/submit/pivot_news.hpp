// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "memory/memory_budget.hpp"

namespace frond::detail {

/// Units whose pivots have become known, told by the tasks' ends to the thread that submits.
class PivotNews {
public:
    /// At most `units` are ever told.
    PivotNews(std::size_t units, MemoryBudget& budget) : budget_(budget) { fronts_.reserve(units); }

    void tell(index_t front) noexcept {
        {
            const std::lock_guard lock(mutex_);
            fronts_.push_back(front);
        }
        budget_.notify();
    }

    /// The fronts told since the last call, appended to `fronts`.
    void take(std::vector<index_t>& fronts) {
        const std::lock_guard lock(mutex_);
        fronts.insert(fronts.end(), fronts_.begin(), fronts_.end());
        fronts_.clear();
    }

private:
    MemoryBudget& budget_;  // its waiters are woken
    std::mutex mutex_;
    std::vector<index_t> fronts_;
};

}  // namespace frond::detail
