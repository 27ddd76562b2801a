// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::detail {

/// This thread asks the system for short turns on a core: when it wakes it need not wait until a worker there has had the
/// whole of its own turn, some 3 ms, and where it yields it does not give up as much. Linux before 6.12 ignores it.
void ask_for_short_turns() noexcept;

}  // namespace frond::detail
