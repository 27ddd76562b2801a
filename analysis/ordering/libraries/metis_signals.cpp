// SPDX-License-Identifier: BSD-3-Clause
#include "metis_signals.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <stop_token>
#include <system_error>
#include <unistd.h>

namespace frond {
namespace {

using Handler = void (*)(int);

/// One signal that METIS catches. Signal handlers have no other way to learn of it.
struct Caught {
    int number;
    struct sigaction callers = {};
    std::atomic<Handler> metis = nullptr;
};

std::array<Caught, 2>& caught() {
    static std::array<Caught, 2> signals{Caught{SIGTERM}, Caught{SIGABRT}};
    return signals;
}

sigset_t callers_mask;
std::atomic<bool> raised_itself = false;
std::atomic<bool> watches = false;
thread_local bool is_in_metis = false;

/// What the caller's disposition does with the signal.
void do_as_caller_wants(const Caught& signal, siginfo_t* info, void* context) {
    const struct sigaction& callers = signal.callers;
    if (callers.sa_flags & SA_SIGINFO) return callers.sa_sigaction(signal.number, info, context);
    if (callers.sa_handler == SIG_IGN) return;
    if (callers.sa_handler != SIG_DFL) return callers.sa_handler(signal.number);
    std::signal(signal.number, SIG_DFL);
    std::raise(signal.number);  // takes effect when this handler returns
}

void pass_on(int number, siginfo_t* info, void* context) {
    const Caught& signal = caught()[number == SIGTERM ? 0 : 1];
    const bool raised = info->si_code == SI_TKILL && info->si_pid == getpid();
    if (is_in_metis && raised) {
        raised_itself = true;
        return signal.metis.load()(number);  // jumps back into METIS
    }
    do_as_caller_wants(signal, info, context);
}

bool is_callers(const struct sigaction& now, const struct sigaction& callers) {
    return (now.sa_flags & SA_SIGINFO) == (callers.sa_flags & SA_SIGINFO) &&
           (now.sa_flags & SA_SIGINFO ? now.sa_sigaction == callers.sa_sigaction
                                      : now.sa_handler == callers.sa_handler);
}

/// Puts hand_over in the place of METIS' handler if that is there.
bool take_over(Caught& signal) {
    struct sigaction now = {};
    if (sigaction(signal.number, nullptr, &now) != 0 || is_callers(now, signal.callers)) return false;
    signal.metis = now.sa_handler;
    struct sigaction own = {};
    own.sa_sigaction = pass_on;
    own.sa_mask = signal.callers.sa_mask;
    own.sa_flags = SA_SIGINFO | SA_RESTART;
    return sigaction(signal.number, &own, nullptr) == 0;
}

/// METIS sets its handlers at once when it is called, and it is called when this has begun. So it pays not to give the
/// core away at first: on a busy machine it would not come back for milliseconds.
void watch_handlers(const std::stop_token& stop) {
    constexpr int polls_before_yielding = 2000;  // half a millisecond
    watches = true;
    watches.notify_one();
    std::size_t taken = 0;
    std::array<bool, 2> done = {false, false};
    for (int poll = 0; taken < done.size() && !stop.stop_requested(); ++poll) {
        for (std::size_t k = 0; k < done.size(); ++k)
            if (!done[k] && take_over(caught()[k])) {
                done[k] = true;
                ++taken;
            }
        if (poll >= polls_before_yielding) std::this_thread::yield();
    }
}

}  // namespace

MetisSignals::MetisSignals() {
    for (Caught& signal : caught()) sigaction(signal.number, nullptr, &signal.callers);
    pthread_sigmask(SIG_SETMASK, nullptr, &callers_mask);
    raised_itself = watches = false;
    try {
        watcher_ = std::jthread(watch_handlers);
        watches.wait(false);
    } catch (const std::system_error&) {
        // No more threads to be had: METIS keeps the signals, and its caller sees to what is left.
    }
    is_in_metis = true;
}

MetisSignals::~MetisSignals() {
    is_in_metis = false;
    if (watcher_.joinable()) {
        watcher_.request_stop();
        watcher_.join();
    }
    for (const Caught& signal : caught()) sigaction(signal.number, &signal.callers, nullptr);
    pthread_sigmask(SIG_SETMASK, &callers_mask, nullptr);
}

bool MetisSignals::raised_by_metis() { return raised_itself; }

}  // namespace frond
