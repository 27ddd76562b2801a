// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#ifndef __x86_64__
#include <ucontext.h>
#endif

#include <cstddef>
#include <memory>

namespace frond {

/// A function that runs until it pauses, and goes on from there.
class Fiber {
public:
    explicit Fiber(std::size_t stack_bytes = std::size_t{256} << 10)
        : stack_(new char[stack_bytes]), stack_bytes_(stack_bytes) {}
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    void start(void (*body)());
    /// Until it pauses or ends.
    void resume();
    /// Called inside it.
    void pause();
    bool has_ended() const { return has_ended_; }

private:
    static void run();

    std::unique_ptr<char[]> stack_;  // pages that are never touched cost nothing
    std::size_t stack_bytes_;
    void (*body_)() = nullptr;
    bool has_ended_ = true;
#ifdef __x86_64__
    using Context = void*;  // its stack pointer
#else
    using Context = ucontext_t;
#endif
    Context own_{}, caller_{};
};

}  // namespace frond
