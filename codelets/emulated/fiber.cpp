// SPDX-License-Identifier: BSD-3-Clause
#include "fiber.hpp"

#include <cstdint>

#ifdef __x86_64__
/// Saves what a function must keep (System V ABI) and the stack pointer, and goes on where the other one was saved:
/// swapcontext would ask the system for the signals each time.
extern "C" void frond_switch_fiber(void** saved, void* other);
asm(R"(
.text
.globl frond_switch_fiber
.hidden frond_switch_fiber
.type frond_switch_fiber, @function
frond_switch_fiber:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size frond_switch_fiber, .-frond_switch_fiber
)");
#endif

namespace frond {
namespace {

Fiber* running = nullptr;

}  // namespace

void Fiber::run() {
    Fiber* const self = running;
    self->body_();
    self->has_ended_ = true;
    self->pause();
}

#ifdef __x86_64__

void Fiber::start(void (*body)()) {
    body_ = body;
    has_ended_ = false;
    constexpr std::size_t saved_registers = 6, alignment = 16;
    const auto end = (reinterpret_cast<std::uintptr_t>(stack_.get()) + stack_bytes_) / alignment * alignment;
    auto* const top = reinterpret_cast<void**>(end) - 2;  // a function starts 8 bytes below such a multiple
    *top = reinterpret_cast<void*>(&Fiber::run);
    own_ = top - saved_registers;
}

void Fiber::resume() {
    running = this;
    frond_switch_fiber(&caller_, own_);
}
void Fiber::pause() { frond_switch_fiber(&own_, caller_); }

#else

void Fiber::start(void (*body)()) {
    body_ = body;
    has_ended_ = false;
    getcontext(&own_);
    own_.uc_stack.ss_sp = stack_.get();
    own_.uc_stack.ss_size = stack_bytes_;
    own_.uc_link = nullptr;
    makecontext(&own_, &Fiber::run, 0);
}

void Fiber::resume() {
    running = this;
    swapcontext(&caller_, &own_);
}
void Fiber::pause() { swapcontext(&own_, &caller_); }

#endif

}  // namespace frond
