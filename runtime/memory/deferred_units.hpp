// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "frond/codelets/job.hpp"

namespace frond::detail {

/// Units one of whose tasks waits for memory, named by workers to the thread that submits.
class DeferredUnits {
public:
    /// At most `units` are named, and none again before it is taken.
    DeferredUnits(std::size_t units, Job& job) : job_(job) { fronts_.reserve(units); }

    /// Under the lock to the end: who has taken the front may end the job, and both go.
    void add(index_t front) noexcept {
        const std::lock_guard lock(mutex_);
        fronts_.push_back(front);
        job_.signal();
    }

    /// Moves the units that were named since the last call to `fronts`, which stays in postorder.
    void take(std::vector<index_t>& fronts) {
        const std::lock_guard lock(mutex_);
        if (fronts_.empty()) return;
        fronts.insert(fronts.end(), fronts_.begin(), fronts_.end());
        fronts_.clear();
        std::sort(fronts.begin(), fronts.end());
    }

private:
    Job& job_;
    std::mutex mutex_;
    std::vector<index_t> fronts_;
};

}  // namespace frond::detail
