// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/sanitizers.hpp"

#include <unistd.h>

namespace frond::test {

/// Limits are for programs that no sanitizer slows down.
constexpr unsigned sanitizer_slowdown = FROND_THREAD_SANITIZER || FROND_ADDRESS_SANITIZER ? 8 : 1;

/// Ends the process by SIGALRM when its scope takes longer: a test that would hang fails.
class Watchdog {
public:
    explicit Watchdog(unsigned limit_seconds) { alarm(limit_seconds * sanitizer_slowdown); }

    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    ~Watchdog() { alarm(0); }
};

}  // namespace frond::test
