// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/usable_cores.hpp"

#include <sched.h>

namespace frond {

index_t usable_cores() noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

} // namespace frond
