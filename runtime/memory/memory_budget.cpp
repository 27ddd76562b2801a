// SPDX-License-Identifier: BSD-3-Clause
#include "memory/memory_budget.hpp"

#include <algorithm>
#include <new>

namespace frond::detail {

bool MemoryBudget::try_reserve(count_t bytes) {
    const std::lock_guard lock(mutex_);
    if (used_bytes_ + ensured_bytes_ + bytes > limit()) return false;
    used_bytes_ += bytes;
    raise_peak();
    return true;
}

void MemoryBudget::add(count_t bytes) {
    const std::lock_guard lock(mutex_);
    used_bytes_ += bytes;
    raise_peak();
}

bool MemoryBudget::try_add_unforeseen(count_t bytes, count_t& needed_bytes) {
    const std::lock_guard lock(mutex_);
    if (!fits(bytes, needed_bytes)) return false;
    used_bytes_ += bytes;
    unforeseen_bytes_ += bytes;
    raise_peak();
    return true;
}

bool MemoryBudget::try_ensure(count_t bytes, count_t& needed_bytes) {
    const std::lock_guard lock(mutex_);
    if (!fits(bytes, needed_bytes)) return false;
    ensured_bytes_ += bytes;
    return true;
}

void MemoryBudget::use_ensured(count_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    ensured_bytes_ -= bytes;
    used_bytes_ += bytes;
    unforeseen_bytes_ += bytes;
    raise_peak();
}

void MemoryBudget::release_ensured(count_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    ensured_bytes_ -= bytes;
}

bool MemoryBudget::has_room(count_t bytes) const {
    const std::lock_guard lock(mutex_);
    const count_t needed_bytes = used_bytes_ + ensured_bytes_ + bytes;
    return needed_bytes <= most_for(needed_bytes);
}

void MemoryBudget::release_unforeseen(count_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    used_bytes_ -= bytes;
    unforeseen_bytes_ -= bytes;
}

void MemoryBudget::count_delayed(count_t columns) {
    const std::lock_guard lock(mutex_);
    delayed_columns_ += columns;
}

count_t MemoryBudget::limit_bytes() const {
    const std::lock_guard lock(mutex_);
    return limit();
}

void MemoryBudget::release(count_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    used_bytes_ -= bytes;
}

count_t MemoryBudget::used_bytes() const {
    const std::lock_guard lock(mutex_);
    return used_bytes_;
}

count_t MemoryBudget::unforeseen_bytes() const {
    const std::lock_guard lock(mutex_);
    return unforeseen_bytes_;
}

count_t MemoryBudget::ensured_bytes() const {
    const std::lock_guard lock(mutex_);
    return ensured_bytes_;
}

count_t MemoryBudget::refusals() const {
    const std::lock_guard lock(mutex_);
    return refusals_;
}

count_t MemoryBudget::delayed_columns() const {
    const std::lock_guard lock(mutex_);
    return delayed_columns_;
}

count_t MemoryBudget::peak_bytes() const {
    const std::lock_guard lock(mutex_);
    return peak_bytes_;
}

count_t MemoryBudget::most_bytes() const {
    const std::lock_guard lock(mutex_);
    return most_bytes_;
}

count_t MemoryBudget::limit() const noexcept {
    const count_t raised = limit_bytes_ + unforeseen_bytes_ + ensured_bytes_;
    return std::min(raised, most_for(raised));
}

/// Asks where bytes are more than most_bytes_ and nobody was asked yet.
count_t MemoryBudget::most_for(count_t bytes) const noexcept {
    if (bytes <= most_bytes_ || !ask_) return most_bytes_;
    try {
        most_bytes_ = std::max(most_bytes_, ask_());
        ask_ = nullptr;
    } catch (const std::bad_alloc&) {  // for the files that tell; the next one asks again
    }
    return most_bytes_;
}

bool MemoryBudget::fits(count_t bytes, count_t& needed_bytes) noexcept {
    needed_bytes = used_bytes_ + ensured_bytes_ + bytes;
    if (needed_bytes <= most_for(needed_bytes)) return true;
    ++refusals_;
    return false;
}

void MemoryBudget::raise_peak() noexcept {
    if (used_bytes_ > peak_bytes_) peak_bytes_ = used_bytes_;
}

}  // namespace frond::detail
