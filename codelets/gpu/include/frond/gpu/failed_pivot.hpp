// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond::gpu {

/// By elimination positions of the analysis; row and column are the same for the symmetric kinds.
struct FailedPivot {
    index_t row = 0, column = 0;
    index_t partner = -1;  // row of the largest entry below it in its front, as far as that is known
    bool was_excluded = false;  // else what is above has it as it was
};

}  // namespace frond::gpu
