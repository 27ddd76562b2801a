// SPDX-License-Identifier: BSD-3-Clause
// METIS catches SIGTERM of the whole process; it must reach whom it was meant for.
#include "child_process.hpp"
#include "frond/analysis/steps.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

volatile std::sig_atomic_t signals_seen = 0;

void count_signal(int, siginfo_t* info, void*) { signals_seen = signals_seen + (info != nullptr ? 1 : 0); }

struct sigaction disposition(int number) {
    struct sigaction now = {};
    sigaction(number, nullptr, &now);
    return now;
}

/// For the life of an object, SIGTERM is counted.
class CountedSignals {
public:
    CountedSignals() : before_(disposition(SIGTERM)) {
        struct sigaction counting = {};
        counting.sa_sigaction = count_signal;
        counting.sa_flags = SA_SIGINFO;
        sigaction(SIGTERM, &counting, nullptr);
        signals_seen = 0;
    }

    ~CountedSignals() { sigaction(SIGTERM, &before_, nullptr); }

private:
    struct sigaction before_;
};

/// Whether Frond's handler stands in the place of METIS' own, which signal() set and which only the thread of METIS
/// survives.
bool is_handed_over() {
    const struct sigaction now = disposition(SIGTERM);
    return (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction != count_signal;
}

/// Sends the process a SIGTERM `later` milliseconds after METIS' handlers were replaced.
class SignalForMetis {
public:
    explicit SignalForMetis(int later)
        : sender_([this, later](const std::stop_token& stop) {
              while (!is_handed_over())
                  if (stop.stop_requested()) return;
              std::this_thread::sleep_for(std::chrono::milliseconds(later));
              sent_ = true;
              kill(getpid(), SIGTERM);
          }) {}

    bool sent() {
        sender_.request_stop();
        sender_.join();
        return sent_;
    }

private:
    std::atomic<bool> sent_ = false;
    std::jthread sender_;
};

const Pattern& solid() {
    static const Pattern graph = grid_graph(22, 22, 22);
    return graph;
}

std::vector<index_t> order_solid() { return metis_nested_dissection(solid(), std::vector<index_t>(22 * 22 * 22, 1)); }

}  // namespace

TEST_CASE("a SIGTERM while METIS orders reaches the caller's handler, and the order is finished") {
    const CountedSignals counted;
    const auto expected = order_solid();
    for (const int later : {0, 3}) {
        signals_seen = 0;
        SignalForMetis signal(later);
        const auto order = order_solid();
        CHECK(signal.sent());
        CHECK(signals_seen == 1);
        CHECK(order == expected);
    }
}

TEST_CASE("dispositions and the mask of signals are as before") {
    const CountedSignals counted;
    const auto on_abort = disposition(SIGABRT).sa_handler;
    sigset_t mask, after;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    order_solid();
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    CHECK(sigismember(&after, SIGTERM) == sigismember(&mask, SIGTERM));
    const bool counting = disposition(SIGTERM).sa_sigaction == count_signal;
    CHECK(counting);
    CHECK((disposition(SIGTERM).sa_flags & SA_SIGINFO) != 0);
    const bool same_on_abort = disposition(SIGABRT).sa_handler == on_abort;
    CHECK(same_on_abort);
}

TEST_CASE("where nobody handles SIGTERM it ends the program") {
    CHECK(run_case_in_child("a SIGTERM that nobody handles", {}, 60) == -1);
}

TEST_CASE("a SIGTERM that nobody handles" * doctest::skip()) {
    std::signal(SIGTERM, SIG_DFL);
    SignalForMetis signal(0);
    order_solid();
    CHECK(signal.sent());  // never reached: an exit status, whatever it is, fails the case above
}
