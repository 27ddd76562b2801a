// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::detail {

/// From the loading of the library on, children of fork() know whether StarPU ran when they were
/// made. Its threads stayed with the parent: whoever waits for them waits for ever.
/// @throws std::bad_alloc  there was no memory for it
void expect_forks_watched();

/// In a child that was made while StarPU ran: locks of sessions may be held by threads that it does not have.
bool has_lost_threads() noexcept;

/// @throws RuntimeError  in a child that was made while StarPU ran
void expect_not_forked();

}  // namespace frond::detail
