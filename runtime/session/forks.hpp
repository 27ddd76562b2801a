// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::detail {

/// From the first call on, children of fork() know whether StarPU ran when they were made. Its
/// threads stayed with the parent: whoever waits for them waits for ever.
void watch_forks();

/// @throws RuntimeError  in a child that was made while StarPU ran
void expect_not_forked();

} // namespace frond::detail
