// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <csignal>

namespace frond::cli {

/// Becomes true at the first Ctrl-C (SIGINT) or SIGTERM while they are caught; the jobs of the library stop
/// on it.
const std::atomic<bool>& interrupt_flag() noexcept;

/// Between steps of work that no job of the library does. @throws Cancelled  the flag is set
void expect_no_interrupt();

/// While it lives, the first Ctrl-C or SIGTERM only sets the flag; a second one ends the process as usual.
/// Around what can stop by itself: reading and analysing cannot (interrupt_report.hpp).
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

}  // namespace frond::cli
