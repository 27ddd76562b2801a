// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond::gpu {

struct CopiedBytes {
    count_t to_devices = 0, from_devices = 0;
};

/// What tasks copied between host and devices themselves, in addition to what StarPU moved for them, since the last
/// call; of the whole process.
CopiedBytes take_copied_bytes() noexcept;

}  // namespace frond::gpu
