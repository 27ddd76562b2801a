// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond {

/// Gives memory that was freed back to the system where the C library keeps it (glibc). After the
/// analysis, whose graphs are as large as the matrix and are not needed again.
void return_freed_memory() noexcept;

}  // namespace frond
