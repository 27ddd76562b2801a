// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"

namespace frond::cli {

/// What the program returns to the system.
enum ExitCode : int {
    solved = 0,
    inaccurate = 1,    // worse backward error than asked, null pivots, or a bad --condition
    bad_input = 2,     // matrix, file, option
    no_resources = 3,  // memory, StarPU, devices
    interrupted = 130, // Ctrl-C, as shells expect it
};

constexpr ExitCode exit_code_of(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::invalid_matrix:
        return bad_input;
    case ErrorCode::singular_matrix:
        return inaccurate;
    case ErrorCode::cancelled:
        return interrupted;
    default:
        return no_resources;
    }
}

} // namespace frond::cli
