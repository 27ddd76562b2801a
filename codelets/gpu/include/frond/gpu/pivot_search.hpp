// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::gpu {

/// Where L U on a device searches for the pivot of a column: in the rows of its diagonal block, or in all rows of the
/// front (on tiles: of the piece) that may be pivots.
enum class PivotSearch { block, front };

}  // namespace frond::gpu
