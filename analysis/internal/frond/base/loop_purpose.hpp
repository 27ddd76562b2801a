// SPDX-License-Identifier: BSD-3-Clause
// What loops by ParallelFor are for, which traces name their tasks by. The purpose belongs to the thread that starts
// them, since who writes a loop and who makes tasks of it know nothing of each other.
#pragma once

#include <utility>

#include "frond/base/types.hpp"

namespace frond {

/// Names the purpose of the loops that begin while this lives; the innermost one counts.
class LoopPurpose {
public:
    /// text: of static storage.
    explicit LoopPurpose(const char* text) noexcept : before_(std::exchange(innermost_, text)) {}
    LoopPurpose(const LoopPurpose&) = delete;
    LoopPurpose& operator=(const LoopPurpose&) = delete;
    ~LoopPurpose() { innermost_ = before_; }

    /// Null: nobody has said it.
    static const char* innermost() noexcept { return innermost_; }

private:
    static inline thread_local const char* innermost_ = nullptr;
    const char* before_;
};

/// Substitutions of the solve before the loops that begin while this lives.
class LoopIteration {
public:
    LoopIteration() noexcept : before_(std::exchange(current_, 0)) {}
    LoopIteration(const LoopIteration&) = delete;
    LoopIteration& operator=(const LoopIteration&) = delete;
    ~LoopIteration() { current_ = before_; }

    void set(index_t substitutions) noexcept { current_ = substitutions; }
    /// -1: outside of solves.
    static index_t current() noexcept { return current_; }

private:
    static inline thread_local index_t current_ = -1;
    index_t before_;
};

}  // namespace frond
