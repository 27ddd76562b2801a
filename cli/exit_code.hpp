// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"

namespace frond::cli {

/// What the program returns to the system. For several matrices it is the largest.
enum ExitCode : int {
    solved = 0,
    inaccurate = 1,  // worse backward error than asked
    bad_input = 2,  // matrix, file, option
    no_resources = 3,  // memory, disk, StarPU, devices
    singular = 4,  // null pivots, solved or not
    badly_conditioned = 5,  // by --condition
    not_definite = 6,  // for L L^T
    overflowed = 7,
    interrupted = 130,  // Ctrl-C, as shells expect it
};

constexpr ExitCode exit_code_of(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::invalid_argument:
        case ErrorCode::invalid_matrix:
            return bad_input;
        case ErrorCode::singular_matrix:
            return singular;
        case ErrorCode::cancelled:
            return interrupted;
        default:
            return no_resources;
    }
}

}  // namespace frond::cli
