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

inline const Session& shared_session() {
    static const Session session(four_workers());
    return session;
}

}  // namespace frond::test
