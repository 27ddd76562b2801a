// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond {

/// Where the buffers of a task have a row of a vector of which they are segments.
struct SegmentRow {
    int segment = 0;  // the number of a segment among these buffers
    index_t row = 0;
};

}  // namespace frond
