// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "frond/base/error.hpp"

/// Throws InvalidArgument when a documented precondition does not hold. Always on; cheap checks only.
/// The message, which may be an expression of type std::string, is built only on failure.
#define FROND_EXPECTS(condition, message)                                            \
    do {                                                                             \
        if (!(condition)) ::frond::detail::fail_precondition(#condition, (message)); \
    } while (false)

namespace frond::detail {

[[noreturn]] void fail_precondition(const char* condition, const std::string& message);

}  // namespace frond::detail
