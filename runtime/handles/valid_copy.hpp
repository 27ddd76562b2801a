// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

namespace frond::detail {

/// True: the node has a copy of the data that is the current one. Asked while no task writes them.
inline bool has_valid_copy(starpu_data_handle_t data, unsigned node) noexcept {
    int allocated = 0, valid = 0, loading = 0, requested = 0;
    starpu_data_query_status2(data, static_cast<int>(node), &allocated, &valid, &loading, &requested);
    return valid != 0 && loading == 0;
}

}  // namespace frond::detail
