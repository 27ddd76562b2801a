// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace frond::cli {

/// Becomes true at the first Ctrl-C (SIGINT) or SIGTERM after catch_interrupts(); the jobs of the
/// library stop on it. A second one ends the process as usual.
const std::atomic<bool>& interrupt_flag() noexcept;

void catch_interrupts();

} // namespace frond::cli
