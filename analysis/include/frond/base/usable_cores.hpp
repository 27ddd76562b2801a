// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond {

/// Cores that the calling thread may run on, and with it what it starts; 0: unknown.
index_t usable_cores() noexcept;

} // namespace frond
