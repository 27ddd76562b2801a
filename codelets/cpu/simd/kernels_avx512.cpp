// SPDX-License-Identifier: BSD-3-Clause
// The register-blocked kernels for AVX-512.
#if defined(__x86_64__)
#include "prelude.hpp"

// After the standard headers: what they inline stays code for every processor.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")
#endif
#define FROND_ISA avx512
#define FROND_ISA_NAME "avx512"
#define FROND_VECTOR_BYTES 64
#include "build_table.hpp"

namespace frond::cpu::avx512 {
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
}  // namespace frond::cpu::avx512

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
