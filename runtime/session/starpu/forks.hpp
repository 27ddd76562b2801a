// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::detail {

/// From the loading of the library on, children of fork() know whether StarPU ran when they were
/// made. Its threads stayed with the parent: whoever waits for them waits for ever.
/// @throws std::bad_alloc  there was no memory for it
void expect_forks_watched();

/// @throws RuntimeError  in a child that was made while StarPU ran
void expect_not_forked();

}  // namespace frond::detail
