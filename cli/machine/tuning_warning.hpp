// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/session.hpp"

namespace frond::cli {

/// A line on standard error where the user's tuning could not be taken; nothing else is wrong with the session.
void warn_of_tuning(const SessionInfo& session);

}  // namespace frond::cli
