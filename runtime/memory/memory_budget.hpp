// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <mutex>

#include "frond/codelets/job.hpp"

namespace frond::detail {

/// Exact account of the bytes one factorization holds. reserve() makes the submitter wait; releases
/// come from ended tasks. As fronts are reserved in postorder and the sequential peak fits the limit
/// (checked before any work), the wait always ends.
class MemoryBudget {
public:
    explicit MemoryBudget(count_t limit_bytes) : limit_bytes_(limit_bytes) {}

    /// Waits until `bytes` fit. False when the job was stopped meanwhile.
    bool reserve(count_t bytes, Job& job);
    /// Counts bytes that are there already.
    void add(count_t bytes);
    void release(count_t bytes) noexcept;

    count_t limit_bytes() const noexcept { return limit_bytes_; }
    count_t used_bytes() const;
    count_t peak_bytes() const;

private:
    void raise_peak() noexcept;

    const count_t limit_bytes_;
    mutable std::mutex mutex_;
    std::condition_variable released_;
    count_t used_bytes_ = 0;
    count_t peak_bytes_ = 0;
};

}  // namespace frond::detail
