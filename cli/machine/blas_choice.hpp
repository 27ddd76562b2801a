// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond::cli {

/// Starts the program again, once, with OPENBLAS_CORETYPE set, when OpenBLAS has chosen kernels
/// that do not suit the processor: OpenBLAS chooses when it is loaded, so this process cannot
/// change it. Does nothing when the user has set OPENBLAS_CORETYPE. Returns only when the program
/// goes on as it is; blas_choice_text() reports a start that failed.
void restart_with_suitable_blas_kernels(char** argv);

/// Who chose the kernels and why, one line.
std::string blas_choice_text();

}  // namespace frond::cli
