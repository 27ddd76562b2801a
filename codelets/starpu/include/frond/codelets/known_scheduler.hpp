// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond {

/// source: who asks for it, as messages name it. Empty names are Frond's choice.
/// @throws InvalidArgument  neither StarPU nor the library of STARPU_SCHED_LIB has a scheduler of this name, or that
///                          library cannot be loaded
void expect_known_scheduler(const std::string& name, const std::string& source);

}  // namespace frond
