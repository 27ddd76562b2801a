// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/sanitizers.hpp"

#if FROND_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

namespace frond::test {

/// Ends the program where something has leaked until now, and lets the check at its end do nothing.
/// For programs that call MPI_Finalize: Open MPI unloads parts of itself there, whose memory then counts as lost.
inline void check_leaks() {
#if FROND_ADDRESS_SANITIZER
    __lsan_do_leak_check();
#endif
}

}  // namespace frond::test
