// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::detail {

/// Looks at the variables STARPU_... of the environment that StarPU would end the process for.
/// @throws InvalidArgument  naming the variable, its value and what it takes
void expect_starpu_variables();

} // namespace frond::detail
