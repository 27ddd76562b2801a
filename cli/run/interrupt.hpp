// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arguments/command_line.hpp"
#include "run_json.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>
#include <string>
#include <thread>

namespace frond::cli {

/// Becomes true at the first Ctrl-C (SIGINT) or SIGTERM while they are caught; the jobs of the library stop
/// on it.
const std::atomic<bool>& interrupt_flag() noexcept;

/// Between steps of work that no job of the library does. @throws Cancelled  the flag is set
void expect_no_interrupt();

/// While it lives, the first Ctrl-C or SIGTERM only sets the flag; a second one ends the process as usual.
/// Around what can stop by itself: reading and analysing cannot.
class CatchInterrupts {
public:
    CatchInterrupts();
    CatchInterrupts(const CatchInterrupts&) = delete;
    CatchInterrupts& operator=(const CatchInterrupts&) = delete;
    ~CatchInterrupts();

private:
    using Handler = void (*)(int);
    Handler interrupt_before_, terminate_before_;
};

/// Waits where `file` is a named pipe that nobody reads yet, and keeps it open: opening it for writing would wait, too, but
/// not hear of Ctrl-C. Before files that are written while signals are caught.
class AwaitedReader {
public:
    /// @throws Cancelled  the flag is set meanwhile
    explicit AwaitedReader(const std::string& file);
    AwaitedReader(const AwaitedReader&) = delete;
    AwaitedReader& operator=(const AwaitedReader&) = delete;
    ~AwaitedReader();

private:
    int pipe_ = -1;
};

/// While it lives, Ctrl-C and SIGTERM end the process from a thread of its own: with the message and the JSON object
/// of an interrupted run. For what cannot stop by itself, as reading and analysing; CatchInterrupts comes before it.
/// Without --json the signals keep their effect, as where the system refuses the thread. One at a time.
class InterruptReport {
public:
    InterruptReport(const CommandLine& line, Json known);
    InterruptReport(const InterruptReport&) = delete;
    InterruptReport& operator=(const InterruptReport&) = delete;

    ~InterruptReport() { stop(); }

    /// What the object says from now on.
    void now_known(Json known);

    /// The signals have the effect again that they had before.
    void stop() noexcept;

private:
    using Handler = void (*)(int);

    void wait();

    const CommandLine& line_;
    std::mutex mutex_;  // of known_
    Json known_;
    std::array<int, 2> pipe_{-1, -1};
    Handler interrupt_before_ = SIG_DFL, terminate_before_ = SIG_DFL;
    std::thread thread_;
};

}  // namespace frond::cli
