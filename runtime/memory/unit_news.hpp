// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "memory/memory_budget.hpp"

namespace frond::detail {

/// Units whose pivots have become known, and those that memory was refused to, told by the tasks' ends to
/// the thread that submits.
class UnitNews {
public:
    /// Of `units` at most, each one's pivots are told once, and no refusal of it before the last is taken.
    UnitNews(std::size_t units, MemoryBudget& budget) : budget_(budget) {
        fronts_.reserve(units);
        refused_.reserve(units);
    }

    void tell(index_t front) noexcept { tell(front, fronts_); }
    void tell_refused(index_t front) noexcept { tell(front, refused_); }

    /// The fronts told since the last call, appended.
    void take(std::vector<index_t>& fronts, std::vector<index_t>& refused) {
        const std::lock_guard lock(mutex_);
        fronts.insert(fronts.end(), fronts_.begin(), fronts_.end());
        refused.insert(refused.end(), refused_.begin(), refused_.end());
        fronts_.clear();
        refused_.clear();
    }

    /// The refusals alone; the pivots stay to be taken.
    void take_refused(std::vector<index_t>& refused) {
        const std::lock_guard lock(mutex_);
        refused.insert(refused.end(), refused_.begin(), refused_.end());
        refused_.clear();
    }

private:
    /// Under the lock to the end: who has taken the news may end the factorization, and budget and this go.
    void tell(index_t front, std::vector<index_t>& list) noexcept {
        const std::lock_guard lock(mutex_);
        list.push_back(front);
        budget_.notify();
    }

    MemoryBudget& budget_;  // its waiters are woken
    std::mutex mutex_;
    std::vector<index_t> fronts_, refused_;
};

}  // namespace frond::detail
