// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond::gpu {

/// Blocks of `size` that cover `count`.
inline unsigned parts(count_t count, unsigned size) { return static_cast<unsigned>((count + size - 1) / size); }

}  // namespace frond::gpu
