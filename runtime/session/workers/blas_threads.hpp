// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::detail {

/// Sets the threads BLAS uses and returns what it used before; does nothing for a BLAS without that.
int set_blas_threads(int threads) noexcept;

}  // namespace frond::detail
