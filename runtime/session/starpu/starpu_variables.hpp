// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/session.hpp"

#include <string_view>
#include <vector>

namespace frond::detail {

/// The variables that StarPU does not see while a session with these options starts it: what options
/// overrule, and what Frond cannot work with.
std::vector<const char*> hidden_variables(const SessionOptions& options);

/// Looks at the variables STARPU_... of the environment that StarPU would end the process for, but
/// for the hidden ones.
/// @throws InvalidArgument  naming the variable, its value and what it takes
void expect_starpu_variables(const std::vector<const char*>& hidden = {});

}  // namespace frond::detail
