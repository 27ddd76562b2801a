// SPDX-License-Identifier: BSD-3-Clause
// One session for all cases of a test program: starting StarPU takes a tenth of a second.
#pragma once

#include "frond/session.hpp"

#include <cstdlib>

namespace frond::test {

/// Four workers on any machine, more than small ones have cores: races show better.
inline SessionOptions four_workers() {
    setenv("STARPU_WORKERS_NOBIND", "1", 0);
    return SessionOptions{.cpu_workers = 4};
}

/// A session whose StarPU runs: others start it when they first need it.
inline Session started_session(const SessionOptions& options) {
    Session session(options);
    static_cast<void>(session.info());
    return session;
}

inline const Session& shared_session() {
    static const Session session = started_session(four_workers());
    return session;
}

}  // namespace frond::test
