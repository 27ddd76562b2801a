// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <mutex>
#include <utility>

#include "frond/base/types.hpp"

namespace frond::detail {

/// Account of the bytes one factorization holds. Who cannot reserve waits until the job signals that bytes were given
/// back; releases come from ended tasks. As fronts are reserved in postorder and the sequential peak fits the limit
/// (checked before any work), the wait ends unless what nobody foresaw takes more than most_bytes.
class MemoryBudget {
public:
    /// most_bytes: how far the limit may rise, see try_add_unforeseen.
    explicit MemoryBudget(count_t limit_bytes, count_t most_bytes = 0)
        : limit_bytes_(limit_bytes), most_bytes_(most_bytes > limit_bytes ? most_bytes : limit_bytes) {}

    /// ask: gives most_bytes when more than enough_at_first (>= limit_bytes) is wanted, once; on the thread that wants
    /// it.
    MemoryBudget(count_t limit_bytes, count_t enough_at_first, std::function<count_t()> ask)
        : limit_bytes_(limit_bytes), most_bytes_(enough_at_first), ask_(std::move(ask)) {}

    /// False, and nothing is reserved, when `bytes` do not fit.
    bool try_reserve(count_t bytes);
    /// Counts bytes that are there already.
    void add(count_t bytes);
    /// Counts bytes that no prediction knew of (columns that pivoting sets back): the limit rises with
    /// them, but to most_bytes at most; up to there what was foreseen still fits. False, and nothing is
    /// counted, when most_bytes would be passed; then needed_bytes is the sum. Never waits.
    bool try_add_unforeseen(count_t bytes, count_t& needed_bytes);
    /// Keeps room for unforeseen bytes that are a bound only: they count against most_bytes, not in the peak.
    bool try_ensure(count_t bytes, count_t& needed_bytes);
    /// Ensured bytes become used ones (negative: again ensured).
    void use_ensured(count_t bytes) noexcept;
    void release_ensured(count_t bytes) noexcept;
    /// Whether so many unforeseen bytes would fit now.
    bool has_room(count_t bytes) const;
    void release(count_t bytes) noexcept;
    /// The limit falls again.
    void release_unforeseen(count_t bytes) noexcept;
    /// For messages.
    void count_delayed(count_t columns);

    count_t limit_bytes() const;
    count_t most_bytes() const;
    count_t used_bytes() const;
    count_t unforeseen_bytes() const;
    count_t ensured_bytes() const;
    /// How often unforeseen bytes did not fit.
    count_t refusals() const;
    count_t peak_bytes() const;
    count_t delayed_columns() const;

private:
    count_t limit() const noexcept;
    count_t most_for(count_t bytes) const noexcept;
    bool fits(count_t bytes, count_t& needed_bytes) noexcept;
    void raise_peak() noexcept;

    mutable std::mutex mutex_;
    const count_t limit_bytes_;  // without unforeseen bytes
    mutable count_t most_bytes_;
    mutable std::function<count_t()> ask_;  // empty: most_bytes_ is the answer
    count_t used_bytes_ = 0;
    count_t unforeseen_bytes_ = 0;  // of used_bytes_
    count_t ensured_bytes_ = 0;  // in addition to them
    count_t refusals_ = 0;
    count_t delayed_columns_ = 0;
    count_t peak_bytes_ = 0;
};

}  // namespace frond::detail
