// SPDX-License-Identifier: BSD-3-Clause
#include "tuning_warning.hpp"

#include "terminal/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace frond::cli {

void warn_of_tuning(const SessionInfo& session) {
    if (session.tuning_advice.empty()) return;
    fmt::print(stderr, "{} the tuning of this machine has no effect: {}\n", Style(stderr).warning("frond:"),
               session.tuning_advice);
}

}  // namespace frond::cli
