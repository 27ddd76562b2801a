// SPDX-License-Identifier: BSD-3-Clause
// The register-blocked kernels for baseline.
#include "prelude.hpp"

#define FROND_ISA baseline
#define FROND_ISA_NAME "baseline"
#define FROND_VECTOR_BYTES 16
#if defined(__x86_64__)  // for processors from before 2013: fewer shapes of register blocks are compiled
#define FROND_BLOCK_VECTORS 2
#endif
#include "build_table.hpp"

namespace frond::cpu::baseline {
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
}  // namespace frond::cpu::baseline
