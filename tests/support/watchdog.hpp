// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

namespace frond::test {

/// Ends the process by SIGALRM when its scope takes longer: a test that would hang fails.
class Watchdog {
public:
    explicit Watchdog(unsigned limit_seconds) { alarm(limit_seconds); }

    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    ~Watchdog() { alarm(0); }
};

} // namespace frond::test
