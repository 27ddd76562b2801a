// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include "frond/base/error.hpp"

namespace frond::cli {
namespace {

// A signal handler can reach nothing but what is global; the atomic is lock-free.
std::atomic<bool> interrupted_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int signal) {
    interrupted_flag.store(true);
    std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interrupt_flag() noexcept { return interrupted_flag; }

void expect_no_interrupt() {
    if (interrupted_flag.load()) throw Cancelled("interrupted");
}

CatchInterrupts::CatchInterrupts()
    : interrupt_before_(std::signal(SIGINT, on_interrupt)), terminate_before_(std::signal(SIGTERM, on_interrupt)) {}

CatchInterrupts::~CatchInterrupts() {
    if (interrupt_before_ != SIG_ERR) std::signal(SIGINT, interrupt_before_);
    if (terminate_before_ != SIG_ERR) std::signal(SIGTERM, terminate_before_);
}

}  // namespace frond::cli
