// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/held_signals.hpp"

#include <atomic>

namespace frond::detail {
namespace {

// A signal handler can reach nothing but what is global.
constinit std::atomic<int> held_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void hold_signal(int signal) { held_signal.store(signal); }

bool has_handler(int signal, void (*handler)(int)) {
    struct sigaction now {};
    return sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == handler;
}

}  // namespace

HeldSignals::HeldSignals() noexcept {
    struct sigaction hold {};
    hold.sa_handler = hold_signal;
    hold.sa_flags = SA_RESTART | SA_RESETHAND;
    sigemptyset(&hold.sa_mask);
    for (std::size_t k = 0; k < signals.size(); ++k)
        is_held_[k] = has_handler(signals[k], SIG_DFL) && sigaction(signals[k], &hold, nullptr) == 0;
}

HeldSignals::~HeldSignals() {
    for (std::size_t k = 0; k < signals.size(); ++k)
        if (is_held_[k] && has_handler(signals[k], hold_signal)) std::signal(signals[k], SIG_DFL);
    if (const int came = held_signal.exchange(0); came != 0) std::raise(came);
}

}  // namespace frond::detail
