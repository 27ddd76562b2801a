// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::detail {

/// From the first of these calls until the last of as many of the others, BLAS uses one thread, in all of the process, and
/// then as many as before.
void keep_to_one_blas_thread() noexcept;
void give_back_blas_threads() noexcept;

}  // namespace frond::detail
