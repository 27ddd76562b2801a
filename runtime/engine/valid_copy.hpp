// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include "engine/task_data.hpp"

namespace frond::detail {

/// True: the node has a copy of the data that is the current one. Asked while no task writes them.
inline bool has_valid_copy(starpu_data_handle_t data, unsigned node) noexcept {
    int allocated = 0, valid = 0, loading = 0, requested = 0;
    starpu_data_query_status2(data, static_cast<int>(node), &allocated, &valid, &loading, &requested);
    return valid != 0 && loading == 0;
}

/// What StarPU has not heard of is where it was made.
inline bool has_valid_copy(DataRef data, unsigned node) noexcept {
    const starpu_data_handle_t known = data->known_handle();
    return known != nullptr ? has_valid_copy(known, node) : data->home() == static_cast<int>(node);
}

}  // namespace frond::detail
