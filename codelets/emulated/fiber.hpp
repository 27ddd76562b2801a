// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#ifndef __x86_64__
#include <ucontext.h>
#endif

#include <cstddef>
#include <vector>

namespace frond::gpu::emulated {

/// A function that runs until it pauses, and goes on from there.
class Fiber {
public:
    Fiber() : stack_(std::size_t{256} << 10) {}
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

    std::vector<char> stack_;
    void (*body_)() = nullptr;
    bool has_ended_ = true;
#ifdef __x86_64__
    using Context = void*;  // its stack pointer
#else
    using Context = ucontext_t;
#endif
    Context own_{}, caller_{};
};

}  // namespace frond::gpu::emulated
