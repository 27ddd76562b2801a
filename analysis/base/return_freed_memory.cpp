// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/return_freed_memory.hpp"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace frond {

void return_freed_memory() noexcept {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace frond
