// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/session.hpp"

namespace frond::detail {

/// Looks at what StarPU would end the process for, or take otherwise than it was meant.
/// @throws InvalidArgument  more workers than StarPU was built for, a scheduler that it does not know, or a variable
///                          STARPU_... that it cannot read
void expect_startable(const SessionOptions& options);

}  // namespace frond::detail
