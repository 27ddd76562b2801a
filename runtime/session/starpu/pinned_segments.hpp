// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/host_heap.hpp"

namespace frond::detail {

/// Segments that kernels of devices read and write: large enough that few are pinned, small enough that little is
/// pinned in vain.
HostHeap::SegmentRules pinned_segments();

}  // namespace frond::detail
