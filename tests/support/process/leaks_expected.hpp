// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/sanitizers.hpp"

#if FROND_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

namespace frond::test {

/// What this thread allocates while one of these lives may leak, because the test destroys what would
/// free it.
class LeaksExpected {
public:
#if FROND_ADDRESS_SANITIZER
    LeaksExpected() { __lsan_disable(); }
    ~LeaksExpected() { __lsan_enable(); }
#else
    LeaksExpected() {}
    ~LeaksExpected() {}
#endif
    LeaksExpected(const LeaksExpected&) = delete;
    LeaksExpected& operator=(const LeaksExpected&) = delete;
};

}  // namespace frond::test
