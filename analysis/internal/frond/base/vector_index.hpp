// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cstddef>

namespace frond {

/// Position i in a vector.
inline std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

}  // namespace frond
