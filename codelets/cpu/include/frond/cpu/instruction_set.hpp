// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond::cpu {

/// "avx512", "avx2" or "baseline": the vectors that the dense kernels use in this process. The
/// widest that the processor has; the environment variable FROND_INSTRUCTION_SET, read once, names
/// a narrower one.
const char* instruction_set() noexcept;

}  // namespace frond::cpu
